/* The playground: an experiment, its training, and what the model does with a sentence at every update. */
import {drawHeatmap} from './attention.js';
import {scales} from './colors.js';
import {find, make} from './dom.js';
import {readExperiment, usualSettings, writeExperiment} from './experiment.js';
import {follow, say} from './follow.js';
import {experimentForm} from './form.js';
import {given, part, startWorker} from './inside.js';
import {keep, kept, setAddress} from './keep.js';
import {drawLinks} from './links.js';
import {Runs, accuracy, nameOf} from './runs.js';
import {number, percent, showStep} from './stepper.js';
import {guidedTour} from './tour.js';
import {drawTraining} from './training.js';

const VALUES_MOST = 12, MAP_LEAST = 250, PROBES_MOST = 6;
const BOTTLENECK = {from: 1, to: 20, hidden: 48, beside: 'none', updates: 1000};
/* Drawings are at least so many milliseconds apart, and so many times what one takes, so that a single core has time to
 * train. */
const FRAME = 40, PAUSE = 6;

const lists = given();
const touch = matchMedia('(pointer: coarse)');
const dark = matchMedia('(prefers-color-scheme: dark)'), still = matchMedia('(prefers-reduced-motion: reduce)');
const wasm = part('attend.wasm').then(bytes => WebAssembly.compile(bytes));
const state = {settings: readExperiment(location.hash, lists),
  dark: {dark: true, light: false}[kept('localStorage', 'theme')] ?? null, shown: null, chosen: 0, t: 0, selection: null,
  shows: 'weights', probes: [], speed: 0};
const maps = [...document.querySelectorAll('.map')].map(node =>
  ({node, svg: node.querySelector('svg'), name: node.querySelector('p'), canvas: node.querySelector('.canvas')}));
let runs = null, drawing = 0, due = 0, stale = new Set(), started = 0;

const isDark = () => state.dark ?? dark.matches;
const scale = () => scales[isDark() ? 'dark' : 'light'];

/* ---- Runs ---- */

const settingsOfRuns = settings =>
  [settings, ...settings.beside ? [{...settings, attention: settings.beside}] : []];

async function train(settings, running = true) {
  const mine = ++started, module = await wasm;
  if (mine !== started)
    return;
  runs?.end();
  Object.assign(state, {settings, shown: null, chosen: 0, t: 0, selection: null, probes: []});
  setAddress(writeExperiment(settings) ?? '#');
  find('share').disabled = writeExperiment(settings) === null;
  runs = new Runs(startWorker(), module, settingsOfRuns(settings), {running, speed: state.speed, changed: heard});
  showForm(settings);
  find('rate').value = Math.log10(settings.lr);
  showRate(settings.lr);
  draw('all');
}

function heard(what, run) {
  if (what === 'ready' && run === runs.first) {
    state.probes = runs.ready.probes.map(({source}) => ({source, focus: []}));
    find('sources').replaceChildren(...runs.ready.sources.map(value => make('option', {value})));
  }
  if (what === 'rate')
    keepRate(...runs.rate);
  if (what === 'rests' && !runs.running)
    find('told').textContent = `Training rests after ${runs.update} updates: ` +
      `${percent(accuracy(runs.first.tests.at(-1)))} are right`;
  draw(what, false);
}

/* A change while it ran belongs to the experiment, so that its link makes it too. */
function keepRate(update, lr) {
  const rates = state.settings.rates.filter(([at]) => at < update);
  state.settings = {...state.settings, rates: [...rates, [update, lr]]};
  setAddress(writeExperiment(state.settings) ?? '#');
}

function showRate(lr) {
  find('rate-value').textContent = String(Number(lr.toPrecision(2)));
}

/* ---- Drawing, at most once per frame ---- */

/* What the user does is drawn at once, and what training brings when it is due. */
function draw(what, isSoon = true) {
  stale.add(what);
  if (isSoon) {
    clearTimeout(drawing);
    drawing = 0;
  }
  drawing ||= setTimeout(() => requestAnimationFrame(drawStale), isSoon ? 0 : Math.max(due - performance.now(), 0));
}

function drawStale() {
  const all = stale;
  stale = new Set();
  drawing = 0;
  const start = performance.now();
  if (runs)
    drawTraining(runs, shownUpdate(), state.shown === null);
  if (['all', 'moment', 'ready'].some(what => all.has(what)))
    drawLook();
  tour.draw();
  for (const run of runs?.all ?? [])
    if (run.moment && !run.moment.seen) {
      run.moment.seen = true;
      runs.seen(run);
    }
  due = start + Math.max(FRAME, PAUSE * (performance.now() - start));
}

/* The update that everything on the page belongs to. */
const shownUpdate = () => state.shown === null || !runs.first.moment ? runs?.update ?? 0 : runs.first.moment.update;

/* ---- One sentence ---- */

const probeOf = run => run?.moment?.probes[state.chosen] ?? null;

function drawLook() {
  const probe = probeOf(runs?.first);
  find('look').hidden = !probe;
  if (!probe)
    return;
  drawSentences();
  drawWrites();
  drawForced(probe);
  state.t = Math.min(state.t, probe.steps.length - 1);
  maps.forEach((map, i) => drawMap(map, runs.all[i]));
  document.querySelector('#picture .none').hidden = Boolean(probe.steps[0]?.weights);
  drawStep();
}

function drawSentences() {
  const names = state.probes.map(({source}) => source), shown = [...find('chosen').children];
  if (shown.length !== names.length || shown.some((node, i) => node.textContent !== names[i]))
    find('chosen').replaceChildren(...names.map((name, i) => {
      const button = make('button', {type: 'button', className: 'choice', onclick: () => choose(i)});
      button.append(make('span', {dir: 'auto', textContent: name}));
      return button;
    }));
  [...find('chosen').children].forEach((button, i) => button.setAttribute('aria-pressed', i === state.chosen));
}

function drawWrites() {
  find('writes').replaceChildren(...runs.all.flatMap(run => {
    const probe = probeOf(run);
    if (!probe)
      return [];
    const {output, reference} = probe, verdict = output === reference ? 'right' : 'wrong';
    const mark = make('span', {className: verdict, title: verdict, textContent: verdict === 'right' ? ' ✓' : ' ✗'});
    const told = make('span', {className: 'hidden', textContent: verdict});
    return [make('dt', {className: run.kind, textContent: runs.all.length > 1 ? `${nameOf(run)} writes` : 'It writes'}),
      make('dd', {}, make('bdi', {dir: 'auto', textContent: output || '(nothing)'}),
        ...reference === null ? [] : [mark, told])];
  }));
}

function drawForced({focus, told, words: sources, trouble}) {
  find('forced').hidden = !focus.length && !trouble;
  if (!told)
    return;
  const places = focus.map(({target, source}) => `step ${target + 1} looks at ${sources[source]}`).join(', ');
  find('forced').firstElementChild.replaceChildren('Forced: ', make('bdi', {textContent: places}), '. It then writes ',
    make('b', {}, make('bdi', {textContent: told.after || '(nothing)'})),
    ` (log P of the first text: ${number(told.was)} → ${number(told.becomes)})`);
}

/* Scores in the colors of weights: 0 for the lowest of the picture, 1 for the highest. */
function colored(rows) {
  const all = rows.flat().filter(Number.isFinite), low = Math.min(...all), high = Math.max(...all);
  return rows.map(row => row.map(score => Number.isFinite(score) ? (score - low) / Math.max(high - low, 1e-9) : null));
}

/* What is left of the window, so that the whole picture is seen while it changes. */
const mapHeight = ({canvas}) => Math.max(innerHeight - (canvas.getBoundingClientRect().top + scrollY) - 44, MAP_LEAST);

function describe(map, run, matrix) {
  map.name.textContent = runs.all.length > 1 ? nameOf(run) : '';
  map.svg.setAttribute('aria-label', `${state.shows === 'scores' ? 'Scores' : 'Attention'} of ${nameOf(run)}: ` +
    `${matrix.target.length} target words by ${matrix.source.length} source words at update ${run.moment.update}. ` +
    'Arrow keys choose a cell, Enter makes the model look there.');
}

/* Numbers are written where there is room, and never for scores, whose colors are not their values. */
function picture(map, matrix, told) {
  const {canvas, svg} = map, width = canvas.clientWidth - 4, {source, target, weight} = matrix;
  const fits = Math.max(source.length, target.length) <= VALUES_MOST && width > 30 * source.length;
  const options = {width, height: mapHeight(map), scale: scale(), font: getComputedStyle(svg).fontFamily, told,
    values: state.shows === 'weights' && fits};
  if (state.shows === 'lines')
    return drawLinks(svg, matrix, options);
  return drawHeatmap(svg, state.shows === 'scores' ? {...matrix, weight: colored(weight)} : matrix, options);
}

/* A cell is chosen: say what it is, open its step, and offer fingers what a click does. */
function chosen(run, matrix, selection) {
  const isCell = selection?.target >= 0 && selection.source >= 0;
  Object.assign(state, {selection, within: run.kind});
  say(document.querySelector('#picture .readout'), matrix, selection);
  find('here').hidden = !(touch.matches && isCell);
  if (selection?.target >= 0 && selection.target !== state.t) {
    state.t = selection.target;
    drawStep();
    tour.draw();
  }
}

function drawMap(map, run) {
  const probe = probeOf(run), rows = probe?.steps.map(step => step[state.shows === 'scores' ? 'scores' : 'weights']);
  map.stop?.();
  map.node.hidden = !rows?.[0];
  if (map.node.hidden)
    return;
  const matrix = {source: probe.words, target: probe.steps.map(({word}) => word), weight: rows}, {selection} = state;
  describe(map, run, matrix);
  const view = picture(map, matrix, probe.focus);
  view.mark(null);
  const isHere = state.within === run.kind && selection && selection.target < matrix.target.length &&
    selection.source < matrix.source.length;
  map.stop = follow(map.svg, view, next => chosen(run, matrix, next), {before: isHere ? selection : null,
    tell: ({target, source}) => force(target, source)});
}

const stepParts = {title: find('step-title'), says: find('step-says'), likeliest: find('likeliest'), scores: find('scores'),
  norms: find('norms'), line: find('norm-line'), gates: find('gates')};

function drawStep() {
  const probe = probeOf(runs.first);
  if (!probe)
    return;
  showStep(stepParts, probe, state.t, scale());
  find('step-back').disabled = state.t === 0;
  find('step-on').disabled = state.t + 1 >= probe.steps.length;
}

function moveStep(by) {
  const probe = probeOf(runs.first);
  state.t = Math.min(Math.max(state.t + by, 0), probe.steps.length - 1);
  drawStep();
  tour.draw();
}

function askProbes() {
  if (runs?.ready)
    runs.ask({do: 'probes', probes: state.probes});
}

function choose(i) {
  Object.assign(state, {chosen: i, selection: null});
  state.t = Math.min(state.t, (probeOf(runs.first)?.steps.length ?? 1) - 1);
  draw('all');
}

function addSentence(source) {
  const at = state.probes.findIndex(probe => probe.source === source);
  if (at >= 0)
    return choose(at);
  state.probes = [...state.probes.slice(0, PROBES_MOST - 1), {source, focus: []}];
  state.chosen = state.probes.length - 1;
  askProbes();
}

function force(target, source) {
  state.probes[state.chosen] = {...state.probes[state.chosen], focus: [{target, source, weight: 1}]};
  state.t = target;
  askProbes();
}

function release() {
  state.probes = state.probes.map(probe => ({...probe, focus: []}));
  askProbes();
}

/* ---- Time ---- */

/* Show an earlier update; null: the present one. Training rests meanwhile. */
function showUpdate(update) {
  if (runs.running)
    runs.pause();
  state.shown = update === null || update >= runs.update ? null : update;
  runs.ask({do: 'show', update: state.shown});
  draw('time');
}

function toggle() {
  state.shown = null;
  if (runs.running)
    runs.pause();
  else
    runs.play();
  draw('play');
}

/* ---- Everything else ---- */

const showForm = experimentForm(find('form'), lists, settings => train(settings));

const tour = guidedTour(find('tour'), {
  view: () => {
    const run = runs?.first, probe = probeOf(run), explained = run?.explained;
    const isThis = explained && explained.index === state.chosen && explained.update === run.moment.update;
    return {runs, run: run && {...run, explained: isThis ? explained : null}, probe, t: state.t,
      step: probe?.steps[state.t] ?? null, update: runs ? shownUpdate() : 0, lists};
  },
  bottleneck: () => train({...usualSettings('shift'), ...BOTTLENECK, seed: state.settings.seed}),
  show: showUpdate,
  force,
  release,
  explain: () => runs.ask({do: 'explain', index: state.chosen}),
});

function showSide(side) {
  find('experiment').hidden = side !== 'experiment';
  find('tour').hidden = side !== 'tour';
  document.body.classList.toggle('touring', side === 'tour');
  if (runs)
    draw('all');
}

function setTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  find('theme').setAttribute('aria-pressed', isDark());
  if (runs)
    draw('all');
}

async function share() {
  const label = find('share').firstElementChild;
  try {
    await navigator.clipboard.writeText(location.href);
    label.textContent = 'Copied';
  } catch { /* a page in a file may not be allowed to */
    label.textContent = 'It is in the address bar';
  }
  setTimeout(() => { label.textContent = 'Copy link'; }, 2000);
}

function listen() {
  const on = (id, name, act) => find(id).addEventListener(name, act);
  on('play', 'click', toggle);
  on('step', 'click', () => {
    state.shown = null;
    runs.step();
    draw('step');
  });
  on('restart', 'click', () => train({...state.settings, rates: []}));
  on('rate', 'input', () => showRate(10 ** find('rate').value));
  on('rate', 'change', () => runs.ask({do: 'rate', lr: Number((10 ** find('rate').value).toPrecision(2))}));
  on('speed', 'change', () => {
    state.speed = Number(find('speed').value);
    runs.ask({do: 'speed', perSecond: state.speed});
  });
  on('moment', 'input', () => showUpdate(Number(find('moment').value)));
  on('add', 'submit', event => {
    event.preventDefault();
    const text = find('sentence').value.trim().replace(/\s+/g, ' ');
    if (text)
      addSentence(text);
    find('sentence').value = '';
  });
  on('release', 'click', release);
  on('here', 'pointerdown', event => event.preventDefault()); /* keeps the focus, and so the selection, in the picture */
  on('here', 'click', () => state.selection && force(state.selection.target, state.selection.source));
  on('step-back', 'click', () => moveStep(-1));
  on('step-on', 'click', () => moveStep(1));
  on('share', 'click', share);
  on('theme', 'click', () => {
    state.dark = !isDark();
    keep('localStorage', 'theme', state.dark ? 'dark' : 'light');
    setTheme();
  });
  dark.addEventListener('change', setTheme);
  for (const radio of document.querySelectorAll('input[name=side]'))
    radio.addEventListener('change', () => showSide(radio.value));
  for (const radio of document.querySelectorAll('input[name=shows]'))
    radio.addEventListener('change', () => {
      state.shows = radio.value;
      draw('all');
    });
  addEventListener('hashchange', () => {
    const settings = readExperiment(location.hash, lists);
    if (writeExperiment(settings) !== writeExperiment(state.settings))
      train(settings, !still.matches);
  });
  new ResizeObserver(() => runs && draw('all')).observe(find('stage'));
}

if (touch.matches)
  document.querySelector('#picture .readout').dataset.hint = 'Tap a cell, then Look here';
listen();
setTheme();
tour.go(0);
train(state.settings, !still.matches);
