/* The form of an experiment: a field for every setting that applies. */
import {make} from './dom.js';
import {FIELDS, applies, settled, usualSettings, valueOf} from './experiment.js';
import {TASKS} from './tasks.js';

const nameOf = (field, value) => field.name === 'task' ? TASKS[value].name : value;

function choices(field, lists) {
  const list = Array.isArray(field.of) ? field.of.map(name => ({name, help: TASKS[name].about})) : lists[field.of];
  const options = list.map(({name, help}) =>
    make('option', {value: name, textContent: nameOf(field, name), title: help ?? ''}));
  return field.optional ? [make('option', {value: '', textContent: 'nothing'}), ...options] : options;
}

function control(field, lists) {
  if (field.of)
    return make('select', {id: `f-${field.name}`}, ...choices(field, lists));
  return make('input', {id: `f-${field.name}`, type: 'number', min: field.least, max: field.most,
    step: field.whole ? 1 : 'any', inputMode: field.whole ? 'numeric' : 'decimal'});
}

/* `train(settings)` is called when the user wants a new run. Returns a function that shows other settings. */
export function experimentForm(form, lists, train) {
  const find = id => form.querySelector(`#${id}`), inputs = new Map();
  let settings = usualSettings();
  for (const field of FIELDS) {
    const input = control(field, lists);
    const row = make('p', {className: `field ${field.of ? 'wide' : ''} f-${field.name}`},
      make('label', {htmlFor: input.id, textContent: field.label}), input);
    inputs.set(field, {input, row});
    if (field.name === 'task')
      find('fields').prepend(row);
    else
      find('fields').append(row);
    input.addEventListener('change', () => changed(field));
  }
  const read = () => {
    for (const [field, {input}] of inputs)
      if (applies(field, settings))
        settings[field.name] = valueOf(field, input.value, settings[field.name], lists);
    settings = settled({...settings, table: find('table').value, rates: []});
  };
  const show = next => {
    settings = {...next};
    const {attention} = settings, task = TASKS[settings.task];
    for (const [field, {input, row}] of inputs) {
      row.hidden = !applies(field, settings);
      input.value = settings[field.name];
    }
    find('about').textContent = task.about;
    find('f-attention').title = lists.attentions.find(({name}) => name === attention)?.help ?? '';
    find('own').hidden = !task.own;
    if (find('table').value !== settings.table)
      find('table').value = settings.table;
  };
  /* A task comes with its own settings; what kind of model it is stays. */
  const changed = field => {
    read();
    if (field.name === 'task') {
      const {attention, beside, cell, seed, table} = settings;
      settings = {...usualSettings(settings.task), attention, beside, cell, seed, table};
    }
    show(settings);
    if (!TASKS[settings.task].own)
      train(settings);
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    read();
    show(settings);
    train(settings);
  });
  return show;
}
