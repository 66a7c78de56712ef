/* The self-contained page: which pictures are drawn, how, and what the readout says. */
import {drawHeatmap} from './attention.js';
import {follow, say} from './follow.js';
import {drawLinks, drawSalience} from './links.js';

const draw = {heatmap: drawHeatmap, links: drawLinks, salience: drawSalience};
const touch = matchMedia('(pointer: coarse)').matches;
const hint = {
  heatmap: touch ? 'Tap a cell or a word' : 'Point at a cell or a word, or use the arrow keys',
  links: touch ? 'Tap a word' : 'Point at a word, or use the arrow keys',
  salience: 'The total attention that each source word received',
};
const BAR = 150;                              /* pixels above and below a matrix that just fits the window */
const VALUES_MOST = 12;                       /* larger matrices show numbers only on request */
const TOGETHER_MOST = 4, TOGETHER_WORDS = 24; /* a few small matrices are shown together */

const find = id => document.getElementById(id);
const data = JSON.parse(find('data').textContent);
const items = data.items;
const together = items.length > 1 && items.length <= TOGETHER_MOST && items.every(item =>
  item.source.length <= TOGETHER_WORDS && item.target.length <= TOGETHER_WORDS);
const gallery = items.length > 1 && !together;
const system = matchMedia('(prefers-color-scheme: dark)');
const wide = matchMedia('(min-width: 760px)');
const state = {view: data.view, values: data.values, dark: data.dark || null, chosen: 0};
let panels = [];

/* ---- Pictures ---- */

function showsValues(item) {
  if (state.values !== 'auto' || state.view === 'salience')
    return state.values !== 'never';
  return item.source.length <= VALUES_MOST && item.target.length <= VALUES_MOST;
}

function paint(panel) {
  const {item, svg, readout, canvas} = panel, scale = isDark() ? data.scale.dark : data.scale.light;
  panel.stop?.();
  say(readout, item, null);
  readout.dataset.hint = item.source.length && item.target.length ? hint[state.view] : 'There are no words to show';
  panel.legend.hidden = state.view === 'salience';
  svg.setAttribute('aria-label', `${item.title ?? 'Attention'}: ${item.target.length} target words by ` +
    `${item.source.length} source words. ${hint[state.view]}.`);
  panel.legend.querySelector('i').style.background = `linear-gradient(to right, ${scale.steps.join(',')})`;
  const view = draw[state.view](svg, item, {
    width: canvas.clientWidth - 4,
    height: innerHeight - BAR,
    scale,
    values: showsValues(item),
    font: getComputedStyle(svg).fontFamily,
  });
  panel.bar.style.maxWidth = `${Math.max(svg.clientWidth, 480)}px`;
  view.mark(null);
  panel.stop = follow(svg, view, selection => say(readout, item, selection));
}

function newPanel(item) {
  const figure = find('panel').content.firstElementChild.cloneNode(true), part = name => figure.querySelector(name);
  part('figcaption').textContent = item.title ?? '';
  part('figcaption').hidden = !item.title || (items.length === 1 && item.title === data.title);
  return {item, figure, svg: part('svg'), readout: part('.readout'), bar: part('.bar'),
    legend: part('.legend'), canvas: part('.canvas')};
}

function drawAll() {
  panels.forEach(paint);
  const values = find('values');
  values.checked = panels.some(panel => showsValues(panel.item));
  values.disabled = state.view === 'links';
}

/* ---- Choosing a matrix ---- */

function label(item, i) {
  const line = words => words.map(word => `\u2068${word}\u2069`).join(' '); /* each in its own direction */
  return item.title ? [item.title, line(item.source)] : [line(item.source) || String(i + 1), line(item.target)];
}

function fillList() {
  const list = document.createDocumentFragment();
  items.forEach((item, i) => {
    const row = document.createElement('li'), link = document.createElement('a');
    link.href = `#${i + 1}`;
    for (const text of label(item, i)) {
      const line = document.createElement('span');
      line.dir = 'auto';
      line.textContent = text;
      link.append(line);
    }
    row.append(link);
    list.append(row);
  });
  find('items').append(list);
}

const rows = () => find('items').children;
const sought = items.map(item => [item.title ?? '', ...item.source, ' ', ...item.target].join(' ').toLowerCase());

function filter() {
  const parts = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const [i, row] of [...rows()].entries()) {
    row.hidden = !parts.every(part => sought[i].includes(part));
    found += !row.hidden;
  }
  find('found').textContent = parts.length ? `${found} of ${items.length}` : `${items.length} matrices`;
}

/* The nearest search result in a direction; the current one if there is none. */
function neighbor(step) {
  for (let i = state.chosen + step; i >= 0 && i < items.length; i += step)
    if (!rows()[i].hidden)
      return i;
  return state.chosen;
}

function choose(i) {
  rows()[state.chosen].firstChild.removeAttribute('aria-current');
  state.chosen = i;
  const link = rows()[i].firstChild;
  link.setAttribute('aria-current', 'true');
  if (wide.matches)
    link.scrollIntoView({block: 'nearest'});
  find('place').textContent = `${i + 1} / ${items.length}`;
  find('list').querySelector('summary').textContent = `${i + 1} of ${items.length}: choose another`;
  show([items[i]]);
}

function chooseByHash() {
  const wanted = Number.parseInt(location.hash.slice(1), 10) - 1;
  choose(wanted >= 0 && wanted < items.length ? wanted : 0);
}

const go = i => i !== state.chosen && (location.hash = `#${i + 1}`);

function show(some) {
  panels.forEach(panel => panel.stop?.());
  panels = some.map(newPanel);
  find('panels').replaceChildren(...panels.map(panel => panel.figure));
  find('panels').classList.toggle('several', some.length > 1);
  drawAll();
}

function openGallery() {
  const keys = {ArrowRight: 1, ArrowLeft: -1, j: 1, k: -1};
  for (const id of ['list', 'step', 'keys'])
    find(id).hidden = false;
  find('list').open = wide.matches;
  wide.addEventListener('change', () => find('list').open = wide.matches);
  fillList();
  filter();
  find('search').addEventListener('input', filter);
  find('items').addEventListener('click', () => find('list').open = wide.matches);
  find('previous').addEventListener('click', () => go(neighbor(-1)));
  find('next').addEventListener('click', () => go(neighbor(1)));
  addEventListener('hashchange', chooseByHash);
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input'))
      return;
    if (event.key === '/')
      find('search').focus();
    else if (keys[event.key])
      go(neighbor(keys[event.key]));
    else
      return;
    event.preventDefault();
  });
  chooseByHash();
}

/* ---- Theme and other tools ---- */

const isDark = () => state.dark ?? system.matches;

function setTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  find('theme').setAttribute('aria-pressed', isDark());
  drawAll();
}

function openTools() {
  for (const radio of document.querySelectorAll('input[name=view]')) {
    radio.checked = radio.value === state.view;
    radio.addEventListener('change', () => {
      state.view = radio.value;
      drawAll();
    });
  }
  find('values').addEventListener('change', event => {
    state.values = event.target.checked ? 'always' : 'never';
    drawAll();
  });
  find('theme').addEventListener('click', () => {
    state.dark = !isDark();
    setTheme();
  });
  system.addEventListener('change', setTheme);
}

openTools();
setTheme();
if (gallery)
  openGallery();
else
  show(items);
let width = find('panels').clientWidth;
new ResizeObserver(() => {
  if (width !== find('panels').clientWidth)
    drawAll();
  width = find('panels').clientWidth;
}).observe(find('panels'));
