/* A run of the playground: trains, keeps snapshots, tests, and looks at chosen sentences. It lives in a worker
 * (playground_worker.js); `say` sends messages to the page. Updates, tests and snapshots happen at the same update
 * numbers on every machine, so the same settings give the same curves. Only how often a moment is shown depends on the
 * machine. */
import {Snapshots} from './snapshots.js';
import {LONGEST, TASKS, lengthGroups, makeData, probesOf, targetOf, wordsOf} from './tasks.js';

const ALIGNED = 24;   /* test pairs whose attention is compared with the right places */
const LIKELIEST = 4;
const GOOD = 0.98, GOOD_TESTS = 3; /* training rests after so many tests with so many right answers */
const MIX = 4;        /* batches of an update; a batch has one length, and an update should have several */
const SEARCH = {beam: 1, maxLength: 2};

/* ---- When ---- */

const every = (update, steps) => update % steps.find(([until]) => update <= until)[1] === 0;
const isLook = update => every(update, [[20, 1], [100, 2], [400, 5], [Infinity, 10]]);
const isTest = update => every(update, [[100, 10], [400, 20], [Infinity, 50]]);

/* ---- What a model does with a sentence ---- */

const share = (part, whole) => whole ? part / whole : null;
const topOf = row => row.indexOf(Math.max(...row));

/* How many rows have their largest weight at a right place: [right, of]. */
function countLooks(weights, from) {
  const rows = from.flatMap((places, t) => places.length && weights[t] ? [places.includes(topOf(weights[t]))] : []);
  return [rows.filter(Boolean).length, rows.length];
}

const meanOfHeads = heads => heads && heads[0].map((_, j) => heads.reduce((sum, head) => sum + head[j], 0) / heads.length);

const visible = word => word.trim() ? word : '␣';

/* The model on one sentence. Without a focus it is taken through the right answer, if that is known, so that the rows of
 * its picture stay the same while it learns; with one, it writes what it wants to. */
function seen(model, {source, target, focus = []}) {
  const output = model.translate(source), wish = focus.length ? {focus} : target === null ? {} : {target};
  const {source: words, steps, log_probability} = model.steps(source, {...wish, top: LIKELIEST});
  const told = focus.length ? model.whatIf(source, focus) : null;
  return {
    text: source, reference: target, output: output.text, focus,
    words: words.map(visible),
    steps: steps.map(step => ({...step, word: visible(step.word), previous: visible(step.previous),
      scores: meanOfHeads(step.scores), weights: meanOfHeads(step.weights)})),
    logProbability: log_probability,
    told: told && {before: told.before.text, after: told.after.text, was: told.before.log_probability,
      becomes: told.log_probability_of_before},
  };
}

/* ---- The run ---- */

export class Learner {
  constructor(engine, settings, say) {
    Object.assign(this, {engine, settings, say, update: 0, resting: false, shown: null, seenByPage: true, good: 0});
    this.limit = settings.updates;
    this.rates = [...settings.rates ?? []];
    this.snapshots = new Snapshots();
    const {train, test} = makeData(settings, engine);
    if (train.length < 2)
      throw new Error(`There are too few pairs. A line is a source, a tab and a target, each of at most ${LONGEST} words.`);
    this.test = test;
    this.probes = probesOf(settings, test.length ? test : train);
    this.run = engine.train(train.map(({source, target}) => [source, target]), trainOptions(settings));
    this.advance(0);
    this.say({say: 'ready', parameters: this.parameters, train: train.length, test: test.length,
      sources: [...test, ...train].slice(0, 60).map(({source}) => source), probes: this.probes});
    this.atUpdate();
  }

  /* ---- Training ---- */

  advance(updates) {
    const {reports, ended} = this.run.advance(updates);
    const points = reports.filter(({event}) => event === 'progress')
      .map(({update, loss, norm, lr}) => [update, loss, norm, lr]);
    this.parameters ??= reports.find(({event}) => event === 'start')?.parameters;
    if (points.length)
      this.say({say: 'losses', points});
    this.update += points.length;
    return ended;
  }

  /* One update, with the learning rate that belongs to it. */
  updateOnce() {
    while (this.rates.length && this.rates[0][0] <= this.update)
      this.run.setLearningRate(this.rates.shift()[1]);
    const ended = this.advance(1);
    this.atUpdate();
    if (ended || this.update >= this.limit || this.good >= GOOD_TESTS)
      this.rest();
  }

  rest() {
    this.resting = true;
    this.hold();
    this.say({say: 'rests', update: this.update});
  }

  /* Train on after a rest. */
  goOn() {
    this.limit = this.update + this.settings.updates;
    this.good = -Infinity; /* who goes on has seen that it is good */
    this.resting = false;
  }

  atUpdate() {
    if (isTest(this.update) || isLook(this.update))
      this.bytes = this.run.save();
    if (isLook(this.update))
      this.snapshots.add(this.update, this.bytes);
    if (isTest(this.update))
      this.with(this.bytes, model => this.say({say: 'tested', update: this.update, ...this.examine(model)}));
    if (this.shown === null && this.seenByPage && isLook(this.update))
      this.showMoment();
  }

  setRate(lr) {
    this.rates = [[this.update, lr]];
  }

  /* Show where the weights are now, between the updates that are shown while it runs. */
  hold() {
    this.bytes = this.run.save();
    this.show(null);
  }

  show(update) {
    this.shown = update;
    this.showMoment();
  }

  /* ---- Looking ---- */

  with(bytes, look) {
    const model = this.engine.openModel(bytes, SEARCH);
    try {
      return look(model);
    } finally {
      model.close();
    }
  }

  examine(model) {
    const answers = this.test.map(({source}) => model.translate(source).text);
    const isRight = i => answers[i] === this.test[i].target;
    const all = [...answers.keys()], right = all.filter(isRight).length;
    this.good = all.length && right / all.length >= GOOD ? this.good + 1 : Math.min(this.good, 0);
    return {right, of: all.length, groups: this.byLength(all, isRight), looks: this.looksOf(model)};
  }

  byLength(all, isRight) {
    if (!TASKS[this.settings.task].sized)
      return [];
    return lengthGroups(this.settings).map(([from, to]) => {
      const some = all.filter(i => {
        const length = wordsOf(this.test[i].source).length;
        return length >= from && length <= to;
      });
      return {from, to, right: some.filter(isRight).length, of: some.length};
    });
  }

  /* The share of target words whose largest weight is where the task says. */
  looksOf(model) {
    const known = this.test.filter(({from}) => from).slice(0, ALIGNED);
    const counts = known.map(({source, target, from}) => {
      const {attention} = model.translate(source, {target});
      return attention ? countLooks(attention, from) : [0, 0];
    });
    return share(counts.reduce((sum, [right]) => sum + right, 0), counts.reduce((sum, [, of]) => sum + of, 0));
  }

  /* The sentences at the shown update, or now. */
  showMoment() {
    const snapshot = this.shown === null ? null : this.snapshots.at(this.shown);
    const bytes = snapshot ? snapshot.bytes : this.bytes ?? this.run.save();
    this.seenByPage = false;
    this.with(bytes, model => this.say({say: 'moment', update: snapshot?.update ?? this.update, live: !snapshot,
      snapshots: this.snapshots.updates, probes: this.probes.map(probe => this.probe(model, probe))}));
  }

  probe(model, probe) {
    try {
      return seen(model, probe);
    } catch (error) { /* such as a focus beyond the sentence that is written now */
      return {...seen(model, {...probe, focus: []}), trouble: error.message};
    }
  }

  /* What each target word loses if a source word is left out. */
  explain(index) {
    const {source, target} = this.probes[index], snapshot = this.shown === null ? null : this.snapshots.at(this.shown);
    this.with(snapshot ? snapshot.bytes : this.bytes, model => {
      const {source: words, leave_one_out: leaveOneOut, kendall} = model.explain(source, target === null ? {} : {target});
      this.say({say: 'explained', index, update: snapshot?.update ?? this.update, words: words.map(visible), leaveOneOut,
        kendall: kendall?.leave_one_out?.mean ?? null});
    });
  }

  setProbes(probes) {
    this.probes = probes.map(({source, focus}, i) => {
      const old = this.probes[i];
      return {source, focus, target: old?.source === source ? old.target : targetOf(this.settings, source, this.test)};
    });
    this.showMoment();
  }
}

/* What `attend train` is told. */
function trainOptions({task, attention, cell, emb, hidden, layers, lr, batch, dropout, seed}) {
  const [srcTokenizer, tgtTokenizer] = TASKS[task].tokens ?? ['word', 'word'];
  return {srcTokenizer, tgtTokenizer, case: 'keep', split: 'none', attention, cell, emb, hidden, encoderLayers: layers,
    decoderLayers: layers, lr, batchTokens: Math.ceil(batch / MIX), accumulate: MIX, dropout, labelSmoothing: 0, ema: 0,
    seed, maxEpochs: 1000000, shuffleWindow: 1000};
}
