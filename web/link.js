/* The state of the page as the part of its address after #, so that it can be shared.
 *
 *   q=text&view=links&words&certainty&values=always&model=en-de&look=3:1=1,4:2=0.5&choice=1&head=2&model=...
 *
 * look, choice and head belong to the model before them; look has the form that `attend explain --attend` reads, which
 * counts from 1. Older links have attend instead, which counts from 0. */
const VIEWS = ['both', 'heatmap', 'links', 'salience'], VALUES = ['auto', 'always', 'never'];
const PANELS_MOST = 4;

export function newState() {
  return {text: '', view: 'both', values: 'auto', words: false, shade: false, panels: []};
}

export function newPanelState(model) {
  return {model, told: [], choice: 0, head: -1};
}

export const isFull = state => state.panels.length >= PANELS_MOST;

function readTold(text, base) {
  return [...text.matchAll(/(?<!\d)(\d{1,4}):(\d{1,4})=(\d*\.?\d+)/g)]
    .map(([, step, source, weight]) => ({step: step - base, source: source - base, weight: Math.min(+weight, 1)}))
    .filter(({step, source}) => step >= 0 && source >= 0);
}

const writeTold = told => told.map(({step, source, weight}) => `${step + 1}:${source + 1}=${weight}`).join(',');
const number = (text, least) => Math.max(Number.parseInt(text, 10) || 0, least);

const readers = {
  q: (state, value) => { state.text = value; },
  view: (state, value) => { state.view = VIEWS.includes(value) ? value : state.view; },
  values: (state, value) => { state.values = VALUES.includes(value) ? value : state.values; },
  words: state => { state.words = true; },
  certainty: state => { state.shade = true; },
  model: (state, value) => { isFull(state) || state.panels.push(newPanelState(value)); },
  look: (state, value) => { lastOf(state, panel => { panel.told = readTold(value, 1); }); },
  attend: (state, value) => { lastOf(state, panel => { panel.told = readTold(value, 0); }); },
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
    put('look', writeTold(panel.told), '');
    put('choice', String(panel.choice), '0');
    put('head', String(panel.head), '-1');
  }
  return `#${link}`;
}
