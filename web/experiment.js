/* The settings of an experiment of the playground, and the part of an address after # that has them all, so that a link
 * trains the same model again.
 *
 *   task=reverse&symbols=10&from=1&to=10&attention=additive&beside=none&...&rates=120:0.001
 *
 * rates are the changes of the learning rate while it ran, as update:rate. table has pasted pairs. */
import {TASKS} from './tasks.js';

const TABLE_MOST = 20000; /* letters of pasted pairs that a link may have */

/* To add a setting: a row here; the form, links and defaults follow. `of` is a list of choices, or where the page's data
 * has it; `for` says to which tasks a field applies. */
export const FIELDS = [
  {name: 'task', label: 'Task', of: Object.keys(TASKS), usual: 'reverse'},
  {name: 'from', label: 'Lengths from', least: 1, most: 60, whole: true, usual: 1, for: task => task.sized},
  {name: 'to', label: 'to', least: 1, most: 60, whole: true, usual: 10, for: task => task.sized},
  {name: 'symbols', label: 'Symbols', least: 2, most: 26, whole: true, usual: 10, for: task => task.sized},
  {name: 'shift', label: 'Shift', least: 0, most: 25, whole: true, usual: 1, for: task => task === TASKS.shift},
  {name: 'pairs', label: 'Training pairs', least: 10, most: 50000, whole: true, usual: 4000, for: task => !task.own},
  {name: 'attention', label: 'Attention', of: 'attentions', usual: 'additive'},
  {name: 'beside', label: 'Beside it', of: 'attentions', optional: true, usual: ''},
  {name: 'cell', label: 'Cell', of: 'cells', usual: 'gru'},
  {name: 'hidden', label: 'State size', least: 2, most: 512, whole: true, usual: 64},
  {name: 'emb', label: 'Embedding', least: 2, most: 512, whole: true, usual: 32},
  {name: 'layers', label: 'Layers', least: 1, most: 4, whole: true, usual: 1},
  {name: 'lr', label: 'Learning rate', least: 0.00001, most: 1, usual: 0.003},
  {name: 'batch', label: 'Words per update', least: 20, most: 5000, whole: true, usual: 400},
  {name: 'dropout', label: 'Dropout', least: 0, most: 0.9, usual: 0},
  {name: 'updates', label: 'Updates, at most', least: 10, most: 100000, whole: true, usual: 600},
  {name: 'seed', label: 'Seed', least: 1, most: 999999, whole: true, usual: 1},
];

export const applies = (field, settings) => !field.for || Boolean(field.for(TASKS[settings.task]));

/* The settings that a task starts with. */
export function usualSettings(task = 'reverse') {
  const usual = Object.fromEntries(FIELDS.map(({name, usual: value}) => [name, value]));
  return {...usual, task, ...TASKS[task].usual, rates: [], table: ''};
}

const choicesOf = (field, lists) => (Array.isArray(field.of) ? field.of : lists[field.of].map(({name}) => name));

/* A value that the field may have; `fallback` for any other. */
export function valueOf(field, text, fallback, lists) {
  if (field.of)
    return choicesOf(field, lists).includes(text) || field.optional && text === '' ? text : fallback;
  const number = field.whole ? Number.parseInt(text, 10) : Number.parseFloat(text);
  return Number.isFinite(number) ? Math.min(Math.max(number, field.least), field.most) : fallback;
}

const readRates = text => [...text.matchAll(/(\d{1,7}):(\d*\.?\d+(?:e-?\d+)?)/g)]
  .map(([, update, lr]) => [Number(update), Math.min(Number(lr), 1)]).filter(([, lr]) => lr > 0);

/* Settings that fit together: lengths in order. */
export function settled(settings) {
  return {...settings, to: Math.max(settings.from, settings.to)};
}

/* `lists` has the choices that the page's data brings: {attentions, cells}, of {name, help}. */
export function readExperiment(hash, lists) {
  const link = new URLSearchParams(hash.replace(/^#/, '')), task = link.get('task');
  const settings = usualSettings(Object.hasOwn(TASKS, task ?? '') ? task : undefined);
  for (const field of FIELDS)
    if (link.has(field.name))
      settings[field.name] = valueOf(field, link.get(field.name), settings[field.name], lists);
  settings.rates = readRates(link.get('rates') ?? '');
  settings.table = (link.get('table') ?? '').slice(0, TABLE_MOST);
  return settled(settings);
}

/* All settings that apply, so that a later version with other defaults reads the same experiment. Null if pasted pairs
 * are too long for a link. */
export function writeExperiment(settings) {
  const link = new URLSearchParams();
  for (const field of FIELDS)
    if (applies(field, settings) && !(field.optional && !settings[field.name]))
      link.append(field.name, settings[field.name]);
  if (settings.rates.length)
    link.append('rates', settings.rates.map(rate => rate.join(':')).join(','));
  if (TASKS[settings.task].own) {
    if (settings.table.length > TABLE_MOST)
      return null;
    link.append('table', settings.table);
  }
  return `#${link}`;
}
