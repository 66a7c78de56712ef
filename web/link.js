/* What is seen as the part of an address after #, so that it can be sent to others, and back.
 *
 *   q=text&view=links&words&certainty&values=always&model=en-de&attend=2:0=1,3:1=0.5&choice=1&head=2&model=...
 *
 * attend, choice and head belong to the model before them; attend is written as for attend explain. */
const VIEWS = ['both', 'heatmap', 'links', 'salience'], VALUES = ['auto', 'always', 'never'];
const PANELS_MOST = 4;

export function newState() {
  return {text: '', view: 'both', values: 'auto', words: false, shade: false, panels: []};
}

export function newPanelState(model) {
  return {model, told: [], choice: 0, head: -1};
}

export const isFull = state => state.panels.length >= PANELS_MOST;

function readTold(text) {
  return [...text.matchAll(/(?<!\d)(\d{1,4}):(\d{1,4})=(\d*\.?\d+)/g)]
    .map(([, step, source, weight]) => ({step: +step, source: +source, weight: Math.min(+weight, 1)}));
}

const writeTold = told => told.map(({step, source, weight}) => `${step}:${source}=${weight}`).join(',');
const number = (text, least) => Math.max(Number.parseInt(text, 10) || 0, least);

const readers = {
  q: (state, value) => { state.text = value; },
  view: (state, value) => { state.view = VIEWS.includes(value) ? value : state.view; },
  values: (state, value) => { state.values = VALUES.includes(value) ? value : state.values; },
  words: state => { state.words = true; },
  certainty: state => { state.shade = true; },
  model: (state, value) => { isFull(state) || state.panels.push(newPanelState(value)); },
  attend: (state, value) => { lastOf(state, panel => { panel.told = readTold(value); }); },
  choice: (state, value) => { lastOf(state, panel => { panel.choice = number(value, 0); }); },
  head: (state, value) => { lastOf(state, panel => { panel.head = number(value, 0); }); },
};

function lastOf(state, set) {
  const panel = state.panels.at(-1);
  if (panel)
    set(panel);
}

export function readLink(hash) {
  const state = newState();
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, '')))
    if (Object.hasOwn(readers, name))
      readers[name](state, value);
  return state;
}

export function writeLink(state) {
  const link = new URLSearchParams();
  const put = (name, value, usual) => value === usual || link.append(name, value);
  put('q', state.text, '');
  put('view', state.view, 'both');
  put('values', state.values, 'auto');
  put('words', state.words ? '1' : '', '');
  put('certainty', state.shade ? '1' : '', '');
  for (const panel of state.panels) {
    link.append('model', panel.model);
    put('attend', writeTold(panel.told), '');
    put('choice', String(panel.choice), '0');
    put('head', String(panel.head), '-1');
  }
  return `#${link}`;
}
