/* What the page knows of its runs: the other side of learner.js. */

const MOST_LOSSES = 200000;

function newRun(settings, kind) {
  return {settings, kind, losses: [], tests: [], moment: null, snapshots: [], update: 0, resting: false, explained: null};
}

export class Runs {
  /* `list` are the settings of one or two runs; `changed(what, run)` is called after every message. */
  constructor(worker, wasm, list, {running, speed, changed}) {
    this.worker = worker;
    this.changed = changed;
    this.all = list.map((settings, i) => newRun(settings, 'ab'[i]));
    this.running = running;
    this.ready = null;
    this.trouble = null;
    this.busy = 0; /* milliseconds that training has taken */
    this.since = performance.now();
    worker.onmessage = ({data}) => this.take(data);
    worker.onerror = event => this.take({say: 'failed', message: event.message});
    this.ask({do: 'start', wasm, list, running, speed});
  }

  get first() {
    return this.all[0];
  }

  get update() {
    return Math.max(...this.all.map(({update}) => update));
  }

  ask(message) {
    this.worker.postMessage(message);
  }

  take({say, run: i = 0, ...news}) {
    const run = this.all[i];
    acts[say]?.(this, run, news);
    this.changed(say, run);
  }

  setRunning(running) {
    if (this.running && !running)
      this.busy += performance.now() - this.since;
    this.since = performance.now();
    this.running = running;
  }

  get seconds() {
    return (this.busy + (this.running ? performance.now() - this.since : 0)) / 1000;
  }

  play() {
    this.all.forEach(run => { run.resting = false; });
    this.setRunning(true);
    this.ask({do: 'run'});
  }

  pause() {
    this.setRunning(false);
    this.ask({do: 'pause'});
  }

  step() {
    this.setRunning(false);
    this.ask({do: 'step'});
  }

  /* The moment of a run is on the screen, so the next one may come. */
  seen(run) {
    this.ask({do: 'seen', run: this.all.indexOf(run)});
  }

  end() {
    this.worker.onmessage = this.worker.onerror = null;
    this.worker.terminate();
  }
}

const acts = {
  ready(runs, run, news) {
    runs.ready ??= news;
    run.parameters = news.parameters;
    runs.since = performance.now();
  },
  losses(runs, run, {points}) {
    run.losses.push(...points);
    run.losses.splice(0, run.losses.length - MOST_LOSSES);
    run.update = points.at(-1)[0];
  },
  tested(runs, run, news) {
    run.tests.push(news);
  },
  moment(runs, run, {snapshots, ...moment}) {
    run.moment = moment;
    run.snapshots = snapshots;
  },
  explained(runs, run, news) {
    run.explained = news;
  },
  rests(runs, run) {
    run.resting = true;
    if (runs.all.every(({resting}) => resting))
      runs.setRunning(false);
  },
  failed(runs, run, {message}) {
    runs.trouble = message;
    runs.setRunning(false);
  },
  rate(runs, run, {update, lr}) {
    runs.rate = [update, lr];
  },
};

/* ---- Of one run, at an update ---- */

export const nameOf = run => run.settings.attention;

function lastUntil(rows, update, at) {
  return rows.findLast(row => at(row) <= update) ?? null;
}

export const testAt = (run, update) => lastUntil(run.tests, update, test => test.update);
export const lossAt = (run, update) => lastUntil(run.losses, update, point => point[0])?.[1] ?? null;
export const accuracy = test => test?.of ? test.right / test.of : null;
