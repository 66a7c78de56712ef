/* A panel: the result of one model, with its alternatives, user-set attention and picture. */
import {effectOf} from './effect.js';
import {encoderOf} from './encoder.js';
import {isDrawn} from './frames.js';
import {handOf} from './hand.js';
import {fillTable, paint, paintFrames, save, saveWriting, tellReadout} from './picture.js';
import {ask, formOf} from './server.js';
import {END, piecesOf, readable, spell} from './tokens.js';

const ALTERNATIVES = 4;
const WAITING = 200; /* milliseconds until a reply counts as late */
const KNOWN_MOST = 40;
const known = new Map(); /* replies by request: recent ones are shown at once */

const make = (name, attributes, ...children) => {
  const node = Object.assign(document.createElement(name), attributes);
  node.append(...children);
  return node;
};

/* app: {models, state, sentence(), file(), manner(), chosen(panel), isDark(), changed(), announce(), light(panel, selection), drop(panel), refused()};
 * settings: the panel's part of the state. */
export function newPanel(app, settings) {
  const root = document.getElementById('panel').content.firstElementChild.cloneNode(true);
  const part = name => root.querySelector(name);
  const panel = {app, settings, root, selection: null, parts: {
    model: part('.model'), remove: part('.remove'), text: part('.text'), trouble: part('.trouble'), chips: part('.chips'),
    before: part('.before'), facts: part('.facts'), others: part('.others'), figure: part('figure'),
    readout: part('.readout'), look: part('.look'), heads: part('.heads'), legend: part('.legend'),
    pictures: part('.pictures'), canvases: [...root.querySelectorAll('.canvas')], table: part('.table'), none: part('.none'),
    pins: {heads: part('.top'), sides: part('.sides'), corner: part('.corner')}, hand: part('.hand'),
  }};
  panel.showHand = handOf(panel.parts.hand);
  panel.showEffect = effectOf(part('.effect'));
  panel.showEncoder = encoderOf(part('.encoder'));
  fillModels(panel);
  listen(panel);
  return panel;
}

function listen(panel) {
  const {app, parts, settings, root} = panel, on = (node, name, act) => node.addEventListener(name, act);
  on(parts.model, 'change', () => {
    Object.assign(settings, {model: parts.model.value, told: [], choice: 0, head: -1});
    app.chosen(panel);
    translate(panel);
  });
  on(parts.remove, 'click', () => app.drop(panel));
  on(parts.heads, 'change', () => {
    settings.head = Number(parts.heads.value);
    app.changed();
    show(panel);
  });
  on(parts.text, 'pointerover', event => {
    const t = panel.spans?.indexOf(event.target) ?? -1;
    point(panel, t < 0 ? null : {target: t, source: -1});
  });
  on(parts.text, 'pointerleave', () => point(panel, null));
  on(parts.table, 'toggle', () => parts.table.open && panel.matrix && fillTable(panel));
  on(parts.look, 'pointerdown', event => event.preventDefault()); /* keeps the focus, and so the selection, in the
                                                                   * picture */
  on(parts.look, 'click', () => tell(panel, panel.selection));
  for (const button of root.querySelectorAll('[data-save]'))
    on(button, 'click', () => save(button.dataset.save, panel, app.state, app.isDark())
      .catch(error => trouble(panel, error.message)));
  for (const button of root.querySelectorAll('[data-write]'))
    on(button, 'click', () => saveWriting(button.dataset.write, panel, app.isDark())
      .catch(error => trouble(panel, error.message)));
}

function fillModels({app, settings, parts}) {
  parts.model.replaceChildren(...app.models.map(model =>
    make('option', {value: model.name, textContent: app.label(model), selected: model.name === settings.model})));
}

export const modelOf = ({app, settings}) => app.models.find(model => model.name === settings.model);

/* ---- Requests ---- */

async function attention({app, settings}, extra, options) {
  const body = {q: app.sentence(), model: settings.model, alternatives: ALTERNATIVES, ...extra};
  const key = JSON.stringify(body);
  if (known.has(key))
    return known.get(key);
  const file = app.file(), {q, ...rest} = body;
  const answer = await ask('attention', file ? formOf({...rest, values: true}, file) : {q, ...rest}, options);
  known.set(key, answer);
  if (known.size > KNOWN_MOST)
    known.delete(known.keys().next().value);
  return answer;
}

/* The reply. If the user has set attention, also the reply without it, and the pieces that it refers to. */
function askAll(panel, options) {
  const {told} = panel.settings, {words} = panel.app.state, attend = told.length ? {attend: told} : {};
  return Promise.all([
    attention(panel, {words, ...attend}, options),
    told.length ? attention(panel, {words}, options) : null,
    told.length && words ? attention(panel, {words: false, ...attend}, options) : null,
  ]);
}

/* What the model answers: {answer, plain, pieces}, of which a model that writes has only the first. */
async function answersOf(panel, options) {
  const {app} = panel;
  if (modelOf(panel).writes === 'ink')
    return {answer: await ask('write', {q: app.sentence(), model: panel.settings.model, ...app.manner()}, options)};
  const [answer, plain, pieces] = await askAll(panel, options);
  return {answer, plain, pieces: pieces ?? (app.state.words ? null : answer)};
}

export async function translate(panel) {
  const {app, parts, root} = panel;
  panel.asking?.abort();
  const asking = panel.asking = new AbortController();
  const asked = app.sentence();
  if (!asked)
    return empty(panel);
  const late = setTimeout(() => root.classList.add('waiting'), WAITING);
  const waiting = seconds => trouble(panel, `The server is busy. Trying again in ${Math.ceil(seconds)} s`);
  try {
    Object.assign(panel, {asked, ...await answersOf(panel, {signal: asking.signal, waiting})});
    trouble(panel, '');
    show(panel);
    app.announce();
  } catch (error) {
    if (asking.signal.aborted)
      return;
    trouble(panel, error.message, () => translate(panel));
    app.refused(error);
  } finally {
    clearTimeout(late);
    if (panel.asking === asking) {
      root.classList.toggle('waiting', !parts.trouble.hidden && Boolean(panel.answer));
      panel.asking = null;
    }
  }
}

function trouble({parts}, words, again) {
  parts.trouble.hidden = !words;
  parts.trouble.replaceChildren(words);
  if (again)
    parts.trouble.append(' ', make('button', {type: 'button', className: 'plain', textContent: 'Try again', onclick: again}));
}

function empty(panel) {
  const {parts, root} = panel;
  panel.stop?.();
  Object.assign(panel, {answer: null, hypothesis: null, matrix: null, spans: null, asking: null});
  root.classList.remove('waiting');
  trouble(panel, '');
  for (const node of [parts.text, parts.facts, parts.chips])
    node.replaceChildren();
  for (const node of [parts.figure, parts.none, parts.others, parts.before, parts.hand])
    node.hidden = true;
  panel.showEffect(null);
  panel.showEncoder(null);
}

/* ---- Results ---- */

const hypotheses = answer => [answer, ...answer.alternatives ?? []];

function choose(panel) {
  const {answer, settings} = panel, all = hypotheses(answer);
  settings.choice = Math.min(settings.choice, all.length - 1);
  panel.hypothesis = all[settings.choice];
  const heads = panel.hypothesis.heads ?? [];
  if (settings.head >= heads.length)
    settings.head = -1;
  const weight = settings.head < 0 ? panel.hypothesis.attention : heads[settings.head];
  panel.matrix = weight && {source: readable(answer.source), target: readable(panel.hypothesis.target), weight};
  panel.told = toldCells(panel);
}

function showWriting(panel) {
  const {parts, answer} = panel, facts = [`${answer.strokes.length} strokes`, `seed ${answer.seed}`];
  facts.push(`${Math.max(answer.milliseconds, 0.1).toFixed(answer.milliseconds < 10 ? 1 : 0)}\u00a0ms`);
  if (!answer.complete)
    facts.push('cut off at the length limit');
  panel.hypothesis = {text: answer.text, target: []};
  panel.matrix = null;
  parts.text.hidden = true;
  parts.facts.textContent = facts.join(' · ');
  for (const node of [parts.figure, parts.none, parts.others, parts.before])
    node.hidden = true;
  parts.hand.hidden = false;
  panel.showEncoder(null);
  panel.showHand(answer);
  panel.showEffect(null);
}

/* The attention that the user has set is not part of the question, but what the model says with it is. */
function showEffect(panel) {
  const {app, settings: {model}, hypothesis: {text}} = panel;
  panel.showEffect(text && !app.file() ? {q: app.sentence(), target: text, model} : null);
}

export function show(panel) {
  if (!panel.answer)
    return;
  if (panel.answer.strokes)
    return showWriting(panel);
  panel.parts.hand.hidden = true;
  panel.parts.text.hidden = false;
  choose(panel);
  showText(panel);
  showFacts(panel);
  showChips(panel);
  showOthers(panel);
  showHeads(panel);
  showEffect(panel);
  const {parts, matrix, answer} = panel;
  const drawn = Boolean(matrix?.source.length && matrix.target.length) && (!answer.frames || isDrawn(answer.frames));
  parts.figure.hidden = !drawn;
  parts.none.hidden = Boolean(matrix);
  if (drawn)
    redraw(panel);
  else
    lookInside(panel);
}

/* The self-attention of a transformer encoder, of the same source in the same units. */
function lookInside(panel) {
  const {app, settings, asked} = panel, file = app.file(), {words} = app.state;
  const body = {q: asked, model: settings.model, words};
  panel.showEncoder(modelOf(panel)?.encoder !== 'transformer' ? null : {
    key: JSON.stringify(body),
    isDark: app.isDark(),
    request: () => ask('self-attention', file ? formOf({...body, q: undefined}, file) : body),
  });
}

export function redraw(panel) {
  if (panel.answer && !panel.answer.strokes)
    lookInside(panel);
  if (!panel.matrix || panel.parts.figure.hidden)
    return;
  const actions = {
    choose: (selection, view) => point(panel, selection, view),
    tell: selection => tell(panel, selection),
  };
  if (panel.answer.frames)
    paintFrames(panel, panel.app.isDark(), actions);
  else
    paint(panel, panel.app.state, panel.app.isDark(), actions);
}

/* The range of the second list, from its first to its last token that differs from the first list. */
function difference(one, other) {
  let from = 0, end = 0;
  while (from < one.length && from < other.length && one[from] === other[from])
    from++;
  while (end < one.length - from && end < other.length - from && one.at(-1 - end) === other.at(-1 - end))
    end++;
  return [from, other.length - end];
}

function showText(panel) {
  const {parts, hypothesis, plain, app} = panel, {target, token_scores: scores} = hypothesis;
  panel.spans = spell(parts.text, hypothesis.text, target);
  const [from, to] = plain ? difference(plain.target, target) : [0, 0];
  panel.spans.forEach((span, t) => {
    if (!span)
      return;
    const sure = Math.exp(scores?.[t] ?? 0);
    span.classList.toggle('changed', t >= from && t < to);
    span.classList.toggle('shaded', app.state.shade && Boolean(scores));
    span.style.setProperty('--sure', sure.toFixed(3));
    if (app.state.shade && scores)
      span.title = sure.toFixed(2);
  });
  parts.before.hidden = !plain || plain.text === hypothesis.text;
  parts.before.replaceChildren('Without it: ', make('bdi', {textContent: plain?.text ?? ''}));
}

function percent(score) {
  const share = 100 * Math.exp(score);
  return share < 0.1 ? '< 0.1 %' : `${share.toFixed(share < 10 ? 1 : 0)} %`;
}

const size = count => count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e3 ? `${Math.round(count / 1e3)} k` : count;

function showFacts(panel) {
  const {parts, hypothesis, answer} = panel, model = modelOf(panel);
  const facts = [];
  if (model)
    facts.push(`${model.attention === 'none' ? 'no' : model.attention.replaceAll('_', ' ')} attention`,
      model.cell?.toUpperCase(), model.parameters && `${size(model.parameters)} parameters`, model.int8 && 'int8');
  if (hypothesis.log_probability !== undefined)
    facts.push(`probability ${percent(hypothesis.log_probability)}`);
  if (hypothesis.confidence !== undefined)
    facts.push(`confidence ${Math.round(100 * hypothesis.confidence)} %`);
  if (answer.milliseconds !== undefined)
    facts.push(`${Math.max(answer.milliseconds, 0.1).toFixed(answer.milliseconds < 10 ? 1 : 0)}\u00a0ms`);
  if (hypothesis.complete === false)
    facts.push('cut off at the length limit');
  parts.facts.textContent = facts.filter(Boolean).join(' · ');
}

function showOthers(panel) {
  const {parts, answer, settings, app} = panel, all = hypotheses(answer);
  parts.others.hidden = all.length < 2;
  parts.others.querySelector('summary').textContent = `${all.length - 1} alternative${all.length > 2 ? 's' : ''}`;
  parts.others.querySelector('ol').replaceChildren(...all.map((one, i) => {
    const text = make('span', {dir: 'auto'}), [from, to] = difference(all[0].target, one.target);
    const isSame = t => i > 0 && (t < from || t >= to);
    spell(text, one.text, one.target).forEach((span, t) => span?.classList.toggle('same', isSame(t)));
    const button = make('button', {type: 'button'}, text, make('data', {textContent: percent(one.log_probability)}));
    button.setAttribute('aria-pressed', i === settings.choice);
    button.onclick = () => {
      settings.choice = i;
      app.changed();
      show(panel);
      app.announce();
      parts.others.querySelectorAll('button')[i].focus();
    };
    return make('li', {}, button);
  }));
}

function showHeads({parts, hypothesis, settings}) {
  const count = hypothesis.heads?.length ?? 0;
  parts.heads.hidden = count < 2;
  parts.heads.replaceChildren(...Array.from({length: count + 1}, (_, i) =>
    make('option', {value: i - 1, textContent: i ? `Head ${i}` : 'All heads', selected: i - 1 === settings.head})));
}

/* ---- Highlighting ---- */

/* Highlight a selection and related words, in the texts and in all pictures except the one where it was chosen. */
export function point(panel, selection, from) {
  if (!panel.matrix)
    return;
  panel.selection = selection;
  for (const {view} of panel.views ?? [])
    if (view !== from)
      view.mark(selection);
  tellReadout(panel, selection);
  const cell = selection?.target >= 0 && selection?.source >= 0;
  const canForce = cell && (panel.answer.frames || panel.app.state.view !== 'salience');
  panel.parts.look.hidden = !canForce || !matchMedia('(pointer: coarse)').matches;
  const {target = -1, source = -1} = selection ?? {};
  glow(panel.spans, target, target < 0 && source >= 0 ? panel.matrix.weight.map(row => row[source]) : null);
  panel.app.light(panel, source, target >= 0 ? cell ? panel.matrix.source.map((_, s) => s === source
    ? panel.matrix.weight[target][s] : 0) : panel.matrix.weight[target] : null);
}

/* The chosen word is highlighted; the others are shaded by their weights. */
export function glow(spans, chosen, weights) {
  spans?.forEach((span, i) => {
    span?.classList.toggle('lit', i === chosen);
    span?.classList.toggle('glowing', weights !== null && weights[i] >= 0.02);
    span?.style.setProperty('--weight', weights?.[i] ?? 0);
  });
}

/* ---- Attention set by the user ---- */

/* Cells of the picture whose weight is set; in words, those that contain such pieces. */
function toldCells({settings, app, answer, hypothesis, pieces}) {
  const told = settings.told.map(({step, source}) => ({target: step, source}));
  if (!app.state.words || !told.length)
    return told;
  const rows = pieces && piecesOf(hypothesis.target, pieces.target), columns = pieces && piecesOf(answer.source, pieces.source);
  if (!rows || !columns)
    return [];
  const wordOf = (groups, piece) => groups.findIndex(group => group.includes(piece));
  return told.map(({target, source}) => ({target: wordOf(rows, target), source: wordOf(columns, source)}));
}

/* The weights that put all attention on a cell; the pieces of a word share it. */
async function weightsFor(panel, {target, source}) {
  if (!panel.app.state.words)
    return [{step: target, source, weight: 1}];
  const {told, choice} = panel.settings;
  const answer = await attention(panel, {words: false, ...told.length ? {attend: told} : {}});
  const pieces = hypotheses(answer)[choice] ?? answer;
  const rows = piecesOf(panel.hypothesis.target, pieces.target), columns = piecesOf(panel.answer.source, answer.source);
  if (!rows || !columns)
    throw new Error('These words do not consist of whole pieces: choose Pieces to set the attention');
  const share = Math.floor(1e6 / columns[source].length) / 1e6; /* the sum never exceeds 1 */
  return rows[target].flatMap(step => columns[source].map(piece => ({step, source: piece, weight: share})));
}

/* Selecting a cell again removes its weights; another cell replaces the weights of its steps. */
async function tell(panel, selection) {
  const {settings, app} = panel;
  const weights = await weightsFor(panel, selection).catch(error => trouble(panel, error.message));
  if (!weights)
    return;
  const has = one => settings.told.some(({step, source}) => step === one.step && source === one.source);
  const again = weights.every(has), rest = settings.told.filter(old => !weights.some(({step}) => step === old.step));
  settings.told = (again ? rest : [...rest, ...weights]).sort((a, b) => a.step - b.step);
  settings.choice = 0;
  app.changed();
  translate(panel);
}

function showChips(panel) {
  const {parts, settings, pieces, app} = panel, names = readable(pieces?.source ?? []);
  const letGo = keep => () => {
    settings.told = settings.told.filter(keep);
    app.changed();
    translate(panel);
    panel.views?.[0].svg.focus({preventScroll: true});
  };
  const steps = [...new Set(settings.told.map(one => one.step))];
  const chips = steps.map(step => {
    const told = settings.told.filter(one => one.step === step);
    const words = told.map(({source, weight}) =>
      [make('bdi', {textContent: names[source] ?? source}), weight < 1 ? ` ${+weight.toFixed(2)}` : '']);
    const remove = make('button', {type: 'button', title: 'Remove', onclick: letGo(one => one.step !== step)},
      make('span', {textContent: '✕', ariaHidden: 'true'}));
    remove.setAttribute('aria-label', `Remove the attention set for step ${step + 1}`);
    const list = words.flatMap((word, i) => i ? [', ', ...word] : word);
    return make('li', {}, make('span', {}, `step ${step + 1} looks at `, ...list), remove);
  });
  if (chips.length > 1)
    chips.push(make('li', {className: 'all'},
      make('button', {type: 'button', textContent: 'Clear all', onclick: letGo(() => false)})));
  parts.chips.replaceChildren(...chips);
}

export const spoken = ({hypothesis}) => hypothesis?.text || hypothesis?.target.filter(word => word !== END).join(' ') || '';
