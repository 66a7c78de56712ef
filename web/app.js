/* The page of attend serve: a sentence, and the results of one or several models. */
import {exampleBar} from './examples.js';
import {isInside} from './inside.js';
import {keep, kept, setAddress} from './keep.js';
import {isFull, newPanelState, readLink, writeLink} from './link.js';
import {glow, modelOf, newPanel, point, redraw, show, spoken, translate} from './panel.js';
import {showsValues} from './picture.js';
import {ask, hasKey, useKey} from './server.js';
import {spell} from './tokens.js';
import {titleOf, uploadField} from './upload.js';
import {collapse, findUnknown, keepUnknown, paintUnknown, wordsOf} from './unknown.js';
import {vocabularyList} from './vocabulary.js';

const TYPING = 220;  /* milliseconds without typing before a sentence is sent */
const SETTLED = 700; /* and before screen readers announce the result */

const HINT = 'The translation and the model\'s attention appear as you type.';

const find = id => document.getElementById(id);
const text = find('text'), under = find('under');
const showExamples = exampleBar(find('examples'), useExample), showVocabulary = vocabularyList(find('vocabulary'), addToken);
const system = matchMedia('(prefers-color-scheme: dark)');
const app = {models: [], state: readLink(location.hash), sentence, file, manner, chosen, isDark, changed, announce, light, drop,
  refused, label};
const upload = uploadField(find('upload'), givenFile);
let panels = [], timer = 0, reading = 0;
let litPanel = null, sourceSpans = [];
let marks = [], marked = '';        /* unknown parts of the text `marked` */
let isOffered = false, offered = []; /* the text is an example that nobody has touched; the examples of the model */

/* ---- The sentence ---- */

/* Which of the sources it is: a text or a file for the reader of the models shown. */
const kindOf = model => `${model?.reads ?? 'text'}>${model?.writes ?? 'text'}`;
const readsFiles = model => (model?.reads ?? 'text') !== 'text';
const firstModel = () => panels[0] && modelOf(panels[0]);
const writesInk = model => model?.writes === 'ink';

/* The text, or what stands for the file; '' if there is none. */
function sentence() {
  return readsFiles(firstModel()) ? upload.key() : collapse(text.value).sentence;
}

function file() {
  return readsFiles(firstModel()) ? upload.file() : null;
}

/* Attention and choices that the user has set belong to the previous source. */
function forget() {
  for (const panel of panels)
    Object.assign(panel.settings, {told: [], choice: 0});
}

function givenFile() {
  if (panels.length) {
    forget();
    changed();
    translateAll();
  }
}

/* How a model writes. */
let seed = 1;
function manner() {
  return {bias: Number(find('bias').value), seed};
}

function translateAll() {
  clearTimeout(timer);
  panels.forEach(translate);
}

function typed() {
  isOffered = false;
  spellSource(null);
  mark(keepUnknown(marks, marked, text.value));
  if (app.state.text === text.value)
    return;
  app.state.text = text.value;
  forget();
  clearTimeout(timer);
  timer = setTimeout(() => {
    changed();
    translateAll();
  }, sentence() ? TYPING : 0);
}

function setText(words) {
  text.value = words;
  isOffered = false;
  spellSource(null);
  mark([]);
  app.state.text = words;
}

/* Deletion by command can be undone. */
function clearText() {
  text.select();
  if (!document.execCommand('delete'))
    setText('');
  typed();
}

/* ---- Unknown words ---- */

function mark(found) {
  marks = found;
  marked = text.value;
  paintUnknown(find('marks'), marked, marks);
  const words = wordsOf(marks).map(word => Object.assign(document.createElement('bdi'), {textContent: word}));
  find('unknown').replaceChildren('Unknown to this model: ', ...words.flatMap((word, i) => i ? [', ', word] : [word]));
  find('unknown').hidden = !words.length;
}

/* ---- Examples and vocabulary of the first model ---- */

function useExample(line) {
  setText(line);
  forget();
  changed();
  translateAll();
}

/* The first example is translated when the page opens, so that there is something to see, unless its link has a text
 * (q=, which may be empty). An example of another model gives way too. */
function offer(model) {
  const before = offered, {text: now} = app.state, asked = new URLSearchParams(location.hash.slice(1)).has('q');
  offered = model?.examples ?? [];
  if (!offered.length || (now ? !before.includes(now) || offered.includes(now) : asked))
    return;
  setText(offered[0]);
  isOffered = true;
}

function takeOver() {
  if (isOffered)
    text.select();
  isOffered = false;
}

/* Pieces inside of words continue the last word. */
function addToken(token, pieces) {
  const start = token.startsWith('\u2581'), joined = pieces ? !start : token.length === 1 && !/\s/.test(text.value.trim());
  const word = start ? token.slice(1) : token;
  text.value += text.value && !joined && !/\s$/.test(text.value) ? ` ${word}` : word;
  typed();
}

/* A server with API keys shows examples only to those who have one. */
async function askExamples() {
  if (!hasKey() || app.models.every(model => model.examples))
    return;
  await Promise.all(app.models.map(async model => {
    model.examples ??= (await ask('vocabulary', {model: model.name}).catch(() => null))?.examples;
  }));
}

/* ---- A copy of the source lies under the field, with a span for each token to highlight ---- */

function spellSource(panel) {
  litPanel = panel;
  sourceSpans = spell(under, text.value, panel?.answer?.source ?? []);
  under.append('\u200b'); /* gives an empty last line its height */
}

function light(panel, chosen, weights) {
  if (readsFiles(modelOf(panel)))
    return;
  if (litPanel !== panel)
    spellSource(panel);
  glow(sourceSpans, chosen, weights);
}

/* The field covers the copy of its text, so pointer events do not reach the spans: look them up by position. */
function pointAtSource(event) {
  const hit = document.elementsFromPoint(event.clientX, event.clientY).find(node => node.parentNode === under);
  const source = sourceSpans.indexOf(hit), shown = litPanel ?? panels[0];
  if (source < 0 && !shown?.selection)
    return;
  const same = panel => panel.matrix?.source.join('\n') === shown?.matrix?.source.join('\n');
  for (const panel of panels.filter(same))
    point(panel, source < 0 ? null : {target: -1, source});
}

/* ---- Models ---- */

function languageName(code) {
  try {
    return new Intl.DisplayNames(['en'], {type: 'language'}).of(code);
  } catch {
    return code;
  }
}

function label(model) {
  if (!model.source || !model.target)
    return model.name;
  const same = app.models.filter(other => other.source === model.source && other.target === model.target);
  const pair = `${languageName(model.source)} → ${languageName(model.target)}`;
  return same.length > 1 ? `${pair} (${model.name})` : pair;
}

function reverseOf(model) {
  return model && app.models.find(other => other.source && other.source === model.target && other.target === model.source);
}

function swap() {
  const [panel] = panels, reverse = reverseOf(modelOf(panel));
  const words = panel.hypothesis?.text ?? '';
  setText(words);
  app.state.panels = [newPanelState(reverse.name)];
  openPanels();
  changed();
  translateAll();
}

/* A model to show beside the others, preferably one with the same languages. */
function nextModel() {
  const shown = app.state.panels.map(panel => panel.model), first = modelOf(panels[0]);
  const free = app.models.filter(model => !shown.includes(model.name) && kindOf(model) === kindOf(first));
  return (free.find(model => model.source === first.source && model.target === first.target) ??
    free.find(model => model.source === first.source) ?? free[0] ?? first).name;
}

function compare() {
  const settings = newPanelState(nextModel());
  app.state.panels.push(settings);
  panels.push(newPanel(app, settings));
  placePanels();
  changed();
  panels.forEach(redraw); /* they have less room now */
  translate(panels.at(-1));
}

function drop(panel) {
  const at = panels.indexOf(panel);
  panel.asking?.abort();
  panel.stop?.();
  panels.splice(at, 1);
  app.state.panels.splice(at, 1);
  spellSource(null);
  placePanels();
  changed();
  panels.forEach(redraw);
  find('compare').focus();
}

/* A panel has another model: models with another kind of source cannot stand beside it. */
function chosen(panel) {
  const kind = kindOf(modelOf(panel));
  for (const other of panels.filter(one => kindOf(modelOf(one)) !== kind))
    drop(other);
  changed();
}

function placePanels() {
  find('panels').replaceChildren(...panels.map(panel => panel.root));
  find('bench').classList.toggle('several', panels.length > 1);
  for (const panel of panels) {
    panel.parts.remove.hidden = panels.length < 2;
    panel.root.setAttribute('aria-label', label(modelOf(panel)));
  }
  find('compare').disabled = isFull(app.state);
}

function openPanels() {
  for (const panel of panels) {
    panel.asking?.abort();
    panel.stop?.();
  }
  const served = app.state.panels.filter(settings => app.models.some(model => model.name === settings.model));
  app.state.panels = served.length ? served : [newPanelState(app.models[0].name)];
  panels = app.state.panels.map(settings => newPanel(app, settings));
  placePanels();
}

/* ---- Updates after every change ---- */

function showSource(model) {
  const files = readsFiles(model);
  find('language').textContent = files ? titleOf(model.reads) : model?.source ? languageName(model.source) : 'Text';
  find('field').hidden = files;
  upload.show(files ? model.reads : null);
  find('manner').hidden = !writesInk(model);
  find('bench').classList.toggle('frames', files || writesInk(model));
}

function changed() {
  const model = modelOf(panels[0]), {state} = app;
  if (model?.examples !== offered)
    offer(model);
  setAddress((state.text && !isOffered) || panels.length > 1 ? writeLink(state) : location.pathname + location.search);
  showSource(model);
  find('swap').hidden = panels.length > 1 || !reverseOf(model);
  find('about').hidden = Boolean(state.text) || readsFiles(model);
  showExamples(offered, state.text);
  showVocabulary(model, [model?.source, model?.target].map((code, i) => code ? languageName(code) : ['Source', 'Target'][i]));
  for (const radio of document.querySelectorAll('input[name=view]'))
    radio.checked = radio.value === state.view;
  for (const radio of document.querySelectorAll('input[name=unit]'))
    radio.checked = (radio.value === 'words') === state.words;
  find('shade').checked = state.shade;
  find('values').disabled = state.view === 'links';
  find('values').checked = panels.some(panel => panel.matrix ? showsValues(state, panel.matrix) : state.values !== 'never');
}

function announce() {
  find('values').checked = panels.some(panel => panel.matrix && showsValues(app.state, panel.matrix));
  if (!litPanel)
    spellSource(panels[0]);
  if (panels[0].answer && panels[0].asked === sentence() && !file())
    mark(findUnknown(text.value, panels[0].answer.unknown));
  clearTimeout(reading);
  reading = setTimeout(() => {
    const results = panels.map(panel => panels.length > 1 ? `${label(modelOf(panel))}: ${spoken(panel)}` : spoken(panel));
    find('live').textContent = [...results, ...marks.length ? [find('unknown').textContent] : []].join('. ');
  }, SETTLED);
}

function refused(error) {
  if (error.status === 403 && /key/i.test(error.message))
    find('key-form').hidden = false;
}

/* ---- Light and dark ---- */

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === 'dark' : system.matches;
}

function setTheme(theme) {
  if (theme)
    document.documentElement.dataset.theme = theme;
  find('theme').setAttribute('aria-pressed', isDark());
  panels.forEach(redraw);
  upload.repaint();
}

function toggleTheme() {
  setTheme(isDark() ? 'light' : 'dark');
  keep('localStorage', 'theme', document.documentElement.dataset.theme);
}

/* ---- Event listeners ---- */

function listenToTools() {
  const on = (node, name, act) => node.addEventListener(name, act);
  const set = (part, value, after) => {
    app.state[part] = value;
    changed();
    after();
  };
  for (const radio of document.querySelectorAll('input[name=view]'))
    on(radio, 'change', () => set('view', radio.value, () => panels.forEach(redraw)));
  for (const radio of document.querySelectorAll('input[name=unit]'))
    on(radio, 'change', () => set('words', radio.value === 'words', translateAll));
  on(find('values'), 'change', event => set('values', event.target.checked ? 'always' : 'never', () => panels.forEach(redraw)));
  on(find('shade'), 'change', event => set('shade', event.target.checked, () => panels.forEach(show)));
  on(find('compare'), 'click', compare);
  on(find('bias'), 'change', translateAll);
  on(find('again'), 'click', () => {
    seed++;
    translateAll();
  });
  on(find('swap'), 'click', swap);
  on(find('theme'), 'click', toggleTheme);
  on(system, 'change', () => setTheme());
  on(find('share'), 'click', share);
  on(find('key-form'), 'submit', event => {
    event.preventDefault();
    useKey(find('key').value);
    find('key-form').hidden = true;
    open();
  });
}

async function share() {
  const say = words => { find('share').firstElementChild.textContent = words; };
  await navigator.clipboard?.writeText(location.href).then(() => say('Copied'), () => say('Copy the address'));
  setTimeout(() => say('Copy link'), 2000);
}

function listenToText() {
  let isPointed = false;
  text.addEventListener('input', typed);
  text.addEventListener('pointerdown', () => { isPointed = true; });
  text.addEventListener('focus', () => isPointed || takeOver());
  text.addEventListener('click', () => {
    isPointed = false;
    takeOver();
  });
  text.addEventListener('pointermove', pointAtSource);
  text.addEventListener('pointerleave', pointAtSource);
  text.addEventListener('keydown', event => {
    if (event.isComposing)
      return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      changed();
      translateAll();
    } else if (event.key === 'Escape')
      clearText();
  });
}

/* Escape first clears the selection (follow.js), then the attention that the user has set; in the field it clears the
 * text. */
function listenToKeys() {
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, textarea'))
      return;
    if (event.key === '/') {
      event.preventDefault();
      text.focus();
      text.select();
    } else if (event.key === 'Escape' && app.state.panels.some(settings => settings.told.length)) {
      for (const settings of app.state.panels)
        settings.told = [];
      changed();
      translateAll();
    }
  });
}

function listenToRoom() {
  let width = find('panels').clientWidth || innerWidth;
  new ResizeObserver(() => {
    const now = find('bench').clientWidth;
    if (width !== now)
      panels.forEach(redraw);
    width = now;
  }).observe(find('bench'));
}

/* ---- Start ---- */

function openState() {
  setText(app.state.text);
  openPanels();
  changed();
  translateAll();
}

async function open() {
  const about = find('about');
  try {
    about.textContent = isInside ? 'Opening the model …' : HINT;
    app.models = (await ask('models', null, {waiting: () => { about.textContent = 'The server is busy'; }})).models;
    if (!app.models.length)
      throw new Error('The server has no models');
    await askExamples();
    about.textContent = HINT;
    openState();
    if (isOffered)
      text.blur(); /* it opened to be read */
  } catch (error) {
    about.hidden = false;
    about.textContent = error.message;
    refused(error);
  }
}

listenToTools();
listenToText();
listenToKeys();
listenToRoom();
setTheme(kept('localStorage', 'theme'));
addEventListener('hashchange', () => {
  app.state = readLink(location.hash);
  openState();
});
find('alone').hidden = !isInside;
spellSource(null);
await open();
