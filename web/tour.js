/* The guided tour: chapters whose numbers come from the running model. In playground.html an element with data-live shows
 * the number of that name below, one with data-figure is drawn, and a button with data-act does what its name says. */
import {isolated} from './attention.js';
import {drawSpark} from './curves.js';
import {make} from './dom.js';
import {accuracy, lossAt, testAt} from './runs.js';
import {fillBars, likelyRows, number, percent, scoreRows, twoBest, weightRows} from './stepper.js';

const sum = numbers => numbers.reduce((total, x) => total + x, 0);

export function softmax(scores) {
  const most = Math.max(...scores), powers = scores.map(score => Math.exp(score - most));
  return powers.map(power => power / sum(powers));
}

/* ---- Numbers ----
 * Each gets a view: {runs, run, probe, step, t, update, drag, lists}; step and probe are null before the first moment. */

const word = text => text === undefined || text === null || text === '' ? '–' : isolated(text);
const wordAt = (view, j) => word(view.probe.words[j]);
const best = view => view.step.scores ? twoBest(view.step.scores) : [-1, -1];
const looked = view => view.step.weights ? twoBest(view.step.weights)[0] : -1;
const weightOf = view => view.step.weights ? Math.max(...view.step.weights) : null;
const lead = scores => {
  const [first, second] = twoBest(scores);
  return scores.length > 1 ? scores[first] - scores[second] : 0;
};
const next = view => view.probe.steps[view.t + 1]?.state_norm ?? null;

/* The group of the longest or shortest test sequences of a run. */
function groupOf(view, i, which) {
  const test = view.runs.all[i] && testAt(view.runs.all[i], view.update), group = test?.groups.at(which);
  return group?.of ? group.right / group.of : null;
}

/* How many numbers of the state keep more than half of what they were; without gates, none. */
function kept({step}) {
  const gate = step.gates?.update ?? step.gates?.forget ?? [];
  return gate.filter(value => value > 0.5).length;
}

const logs = probe => probe.steps.map(({probability}) => Math.log(probability));
const SUMMED = 6;
function logSum({probe}) {
  const all = logs(probe), some = all.slice(0, SUMMED).map(one => number(one));
  return `${some.join(' + ')}${all.length > SUMMED ? ' + …' : ''}`.replaceAll('+ -', '− ');
}

const attentionOf = view => view.run.settings.attention;
/* A word that the step does not look at: the last but the end, or the first. */
export function otherWord(view) {
  const last = view.probe.words.length - 2, top = looked(view);
  return top === last ? 0 : Math.max(last, 0);
}
/* The source word whose absence costs most. */
function needed(view) {
  const rows = view.run.explained?.leaveOneOut?.[view.t];
  return rows ? rows.indexOf(Math.max(...rows.map(one => one ?? -Infinity))) : -1;
}

const LIVE = {
  'hidden': view => String(view.run.settings.hidden),
  'update': view => String(view.update),
  'longest': view => {
    const group = testAt(view.run, view.update)?.groups.at(-1);
    return group ? group.from === group.to ? String(group.to) : `${group.from} to ${group.to}` : '–';
  },
  'name-a': view => attentionOf(view),
  'name-b': view => view.runs.all[1]?.settings.attention ?? 'a second model',
  'long-a': view => percent(groupOf(view, 0, -1)),
  'long-b': view => percent(groupOf(view, 1, -1)),
  'short-a': view => percent(groupOf(view, 0, 0)),
  'short-b': view => percent(groupOf(view, 1, 0)),
  'sources': view => String(view.probe.words.length),
  'step': view => String(view.t + 1),
  'previous': view => word(view.step.previous),
  'state-norm': view => number(view.step.state_norm),
  'query-norm': view => number(view.step.query_norm ?? view.step.state_norm),
  'context-norm': view => number(view.step.context_norm),
  'attention': view => attentionOf(view),
  'attention-help': view => view.lists.attentions.find(({name}) => name === attentionOf(view))?.help.split(';')[0] ?? '',
  'best-word': view => wordAt(view, best(view)[0]),
  'best-score': view => number(view.step.scores?.[best(view)[0]] ?? null),
  'second-word': view => wordAt(view, best(view)[1]),
  'second-score': view => number(view.step.scores?.[best(view)[1]] ?? null),
  'drag-lead': view => view.drag ? number(lead(view.drag)) : '–',
  'drag-factor': view => view.drag ? number(Math.exp(lead(view.drag)), 1) : '–',
  'top-word': view => wordAt(view, looked(view)),
  'best-weight': view => number(weightOf(view), 4),
  'rest-weight': view => number(weightOf(view) === null ? null : 1 - weightOf(view), 4),
  'cell': view => view.run.settings.cell.toUpperCase(),
  'kept': view => String(kept(view)),
  'next-norm': view => number(next(view)),
  'word': view => word(view.step.word),
  'probability': view => number(view.step.probability, 4),
  'log-sum': logSum,
  'log-p': view => number(sum(logs(view.probe))),
  'shown-update': view => String(view.update),
  'shown-loss': view => number(lossAt(view.run, view.update), 3),
  'shown-looks': view => percent(testAt(view.run, view.update)?.looks ?? null),
  'shown-right': view => percent(accuracy(testAt(view.run, view.update))),
  'other-word': view => wordAt(view, otherWord(view)),
  'before': view => word(view.probe.told?.before ?? view.probe.output),
  'after': view => word(view.probe.told?.after),
  'log-before': view => number(view.probe.told?.was ?? null),
  'log-after': view => number(view.probe.told?.becomes ?? null),
  'needed-word': view => wordAt(view, needed(view)),
  'tau': view => number(view.run.explained?.kendall ?? null),
};

/* ---- Figures ---- */

function leaveOneOut(node, view) {
  const rows = view.run.explained?.leaveOneOut?.[view.t] ?? [];
  const most = Math.max(1e-9, ...rows.map(one => Math.abs(one ?? 0)));
  const bars = rows.map((one, j) => ({name: view.run.explained.words[j], share: (one ?? 0) / most, text: number(one)}));
  fillBars(node, bars, looked(view));
}

const FIGURES = {
  'norms': (node, view) => drawSpark(node, view.probe.steps.map(({state_norm}) => state_norm),
    {width: node.parentElement.clientWidth || 300, height: 60, at: view.t}),
  'scores': (node, view) => fillBars(node, scoreRows(view.probe, view.step), best(view)[0]),
  'mixture': (node, view) => fillBars(node, weightRows(view.probe, view.step), looked(view)),
  'likeliest': (node, view) => fillBars(node, likelyRows(view.step)),
  'leave-one-out': leaveOneOut,
};

/* ---- The softmax that can be dragged ---- */

const SLIDER = 12; /* scores reach from -12 to 12, and further if the model's do */

function sliders(node, drag, changed) {
  let shown = '';
  const rows = () => [...node.querySelectorAll('.slider')];
  const build = view => {
    const most = Math.ceil(Math.max(SLIDER, ...drag.scores.map(Math.abs)));
    node.replaceChildren(...drag.scores.map((score, j) => {
      const input = make('input', {type: 'range', min: -most, max: most, step: 0.1, value: score});
      input.addEventListener('input', () => {
        drag.scores[j] = Number(input.value);
        drag.touched = true;
        changed();
      });
      return make('label', {className: 'slider'}, make('span', {className: 'name', textContent: wordAt(view, j)}), input,
        make('span', {className: 'score value'}), make('span', {className: 'track'}, make('i', {})),
        make('span', {className: 'share value'}));
    }));
  };
  return view => {
    const key = view.probe.words.join(' ');
    if (key !== shown || rows().length !== drag.scores.length)
      build(view);
    shown = key;
    const shares = softmax(drag.scores);
    rows().forEach((row, j) => {
      const input = row.querySelector('input');
      if (document.activeElement !== input || !drag.touched)
        input.value = drag.scores[j];
      row.querySelector('.score').textContent = number(drag.scores[j]);
      row.querySelector('.share').textContent = number(shares[j], 3);
      row.querySelector('i').style.width = `${100 * shares[j]}%`;
    });
  };
}

/* ---- The tour ---- */

/* app: {view(), show(update), force(step, source), release(), explain(), bottleneck()}. Returns {go(chapter), draw()}. */
export function guidedTour(root, app) {
  const chapters = [...root.querySelectorAll('[data-chapter]')], find = id => root.querySelector(`#${id}`);
  const drag = {scores: [], touched: false, from: ''};
  let at = 0;
  const showSliders = sliders(root.querySelector('[data-figure="softmax"]'), drag, () => draw());
  /* The model's scores, until someone drags them. */
  const follow = view => {
    const from = `${view.probe.text} ${view.t}`;
    if (view.step.scores && (!drag.touched || from !== drag.from))
      Object.assign(drag, {scores: view.step.scores.map(score => score ?? -SLIDER), touched: false, from});
  };
  const drawChapter = view => {
    const chapter = chapters[at];
    for (const node of chapter.querySelectorAll('[data-live]')) {
      const text = LIVE[node.dataset.live](view);
      if (node.textContent !== text)
        node.textContent = text;
    }
    for (const node of chapter.querySelectorAll('[data-figure]'))
      FIGURES[node.dataset.figure]?.(node, view);
    if (drag.scores.length && chapter.dataset.chapter === 'softmax')
      showSliders(view);
  };
  function draw() {
    const view = app.view();
    if (root.hidden || !view.step)
      return;
    follow(view);
    drawChapter({...view, drag: drag.scores.length ? drag.scores : null});
  }
  const go = (chapter, focus) => {
    at = Math.min(Math.max(chapter, 0), chapters.length - 1);
    chapters.forEach((node, i) => { node.hidden = i !== at; });
    find('chapter-place').textContent = `${at + 1} of ${chapters.length}`;
    find('earlier').disabled = at === 0;
    find('later').disabled = at + 1 === chapters.length;
    draw();
    if (focus)
      chapters[at].focus({preventScroll: true});
  };
  const dragAll = change => {
    drag.scores = drag.scores.map(change);
    drag.touched = true;
    draw();
  };
  const half = run => {
    const target = (run.losses[0]?.[1] ?? 0) / 2;
    return run.losses.find(([, loss]) => loss < target)?.[0] ?? run.update;
  };
  const ACTS = {
    'bottleneck': () => app.bottleneck(),
    'softmax-add': () => dragAll(score => score + 1),
    'softmax-double': () => dragAll(score => 2 * score),
    'softmax-reset': () => {
      drag.touched = false;
      draw();
    },
    'time-start': () => app.show(0),
    'time-half': () => app.show(half(app.view().run)),
    'time-now': () => app.show(null),
    'force': () => app.force(app.view().t, otherWord(app.view())),
    'force-end': () => app.force(app.view().t, app.view().probe.words.length - 1),
    'release': () => app.release(),
    'explain': () => app.explain(),
  };
  root.addEventListener('click', event => {
    const button = event.target.closest('[data-act]');
    if (button && app.view().step)
      ACTS[button.dataset.act]();
  });
  find('earlier').addEventListener('click', () => go(at - 1, true));
  find('later').addEventListener('click', () => go(at + 1, true));
  return {go, draw};
}
