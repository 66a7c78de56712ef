/* The picture of a panel: drawing, selecting, the table of numbers, and downloads. */
import {drawHeatmap, written} from './attention.js';
import {scales} from './colors.js';
import {follow, say} from './follow.js';
import {drawFrames} from './frames.js';
import {drawLinks, drawSalience} from './links.js';
import {askText, formOf} from './server.js';

const draw = {heatmap: drawHeatmap, links: drawLinks, salience: drawSalience};
const touch = matchMedia('(pointer: coarse)').matches;
const hint = {
  both: touch ? 'Tap a cell or a word' : 'Point at a word; click a cell or drag a line to make the model look there',
  heatmap: touch ? 'Tap a cell or a word' : 'Point at a cell; click it to make the model look there',
  links: touch ? 'Tap a word, or drag it to another' : 'Point at a word; drag a line to make the model look elsewhere',
  salience: 'The total attention that each source word received',
};
const BESIDE = 760, GAP = 32; /* minimum width for two pictures side by side, and their distance, in pixels */
const BAR = 150, FOOT = 60;   /* pixels above and below a matrix that just fits the window, and below it */
const VALUES_MOST = 12;       /* larger matrices show numbers only on request */
const PNG_SCALE = 2, PNG_MOST = 8192;

/* ---- Drawing ---- */

export function showsValues({values, view}, matrix) {
  if (values !== 'auto' || view === 'salience')
    return values !== 'never';
  return matrix.source.length <= VALUES_MOST && matrix.target.length <= VALUES_MOST;
}

function stillThere(selection, {source, target}) {
  return selection && selection.target < target.length && selection.source < source.length ? selection : null;
}

/* The views that a panel shows. A heatmap has its own box, in which its labels stay visible. */
function places({parts}, state) {
  const [boxed, free] = parts.canvases, {pins} = parts, kinds = state.view === 'both' ? ['heatmap', 'links'] : [state.view];
  return kinds.map(kind => kind === 'heatmap' ? {kind, canvas: boxed, pins: {box: boxed, ...pins}} : {kind, canvas: free});
}

/* Two pictures are side by side if there is room: the second gets the width that the first leaves. */
function widthFor(place, i, all, whole) {
  if (all.length < 2 || whole < BESIDE)
    return whole;
  return i ? whole - all[0].canvas.clientWidth - GAP : 0.56 * whole;
}

/* The rest of the first screen. Narrow screens are scrolled anyway, so they get nearly a full one. */
function heightFor({parts}, whole) {
  const top = parts.pictures.getBoundingClientRect().top + scrollY;
  return whole < BESIDE ? innerHeight - BAR : innerHeight - top - FOOT;
}

function drawOne({kind, canvas, pins}, {width, height}, panel, state, scale) {
  const svg = canvas.querySelector('.picture'), {matrix} = panel;
  svg.setAttribute('aria-label', `${matrix.target.length} target words by ${matrix.source.length} source words. ` +
    `${hint[kind]}, or use the arrow keys.`);
  const view = draw[kind](svg, matrix, {
    width: width - 4,
    height,
    scale,
    values: showsValues(state, matrix),
    font: getComputedStyle(svg).fontFamily,
    told: panel.told,
    pins,
  });
  view.mark(null);
  canvas.style.maxWidth = `${width}px`;
  return {kind, svg, view};
}

/* panel: {parts, matrix, told, selection}; choose(selection, view) and tell are those of follow. */
export function paint(panel, state, isDark, {choose, tell}) {
  const {parts, matrix} = panel, scale = isDark ? scales.dark : scales.light, whole = parts.pictures.clientWidth;
  const before = stillThere(panel.selection, matrix), focused = panel.views?.find(({svg}) => svg === document.activeElement);
  panel.stop?.();
  const shown = places(panel, state);
  for (const canvas of parts.canvases)
    canvas.hidden = !shown.some(place => place.canvas === canvas);
  parts.readout.dataset.hint = hint[state.view];
  parts.legend.hidden = state.view === 'salience';
  parts.legend.querySelector('i').style.background = `linear-gradient(to right, ${scale.steps.join(',')})`;
  const height = heightFor(panel, whole);
  panel.views = shown.map((place, i) =>
    drawOne(place, {width: widthFor(place, i, shown, whole), height}, panel, state, scale));
  choose(null);
  const stops = panel.views.map(({kind, svg, view}) => follow(svg, view, selection => choose(selection, view),
    {tell: kind === 'salience' ? null : tell, before: kind === (focused ?? panel.views[0]).kind ? before : null}));
  panel.stop = () => stops.forEach(stop => stop());
  if (parts.table.open)
    fillTable(panel);
}

/* The same for a source of frames, whose kind decides the picture. */
export function paintFrames(panel, isDark, {choose, tell}) {
  const {parts, matrix, answer} = panel, framed = parts.canvases.at(-1), svg = framed.querySelector('.picture');
  const before = stillThere(panel.selection, matrix), hadFocus = svg === document.activeElement;
  panel.stop?.();
  for (const canvas of parts.canvases)
    canvas.hidden = canvas !== framed;
  parts.legend.hidden = true;
  parts.readout.dataset.hint = touch ? 'Tap a word to see where the model looked, then a place where it shall look'
    : 'Point at a word to see where the model looked; click it, then a place, to make the model look there';
  svg.setAttribute('aria-label', `Where the model looked for ${matrix.target.length} words. ${parts.readout.dataset.hint}, ` +
    'or use the arrow keys.');
  const view = drawFrames(svg, matrix, answer.frames,
    {width: parts.pictures.clientWidth - 4, dark: isDark, font: getComputedStyle(svg).fontFamily, told: panel.told});
  panel.views = [{kind: 'frames', svg, view}];
  choose(null);
  panel.stop = follow(svg, view, selection => choose(selection, view), {tell, before: hadFocus ? before : null});
  if (parts.table.open)
    fillTable(panel);
}

/* Describes the selection in words and numbers. */
export function tellReadout(panel, selection) {
  const {readout} = panel.parts, score = panel.hypothesis.token_scores?.[selection?.target];
  say(readout, panel.matrix, selection);
  if (score === undefined || score === null)
    return;
  const part = Object.assign(document.createElement('span'), {className: 'sure', textContent: 'probability '});
  part.append(Object.assign(document.createElement('data'), {textContent: written(Math.exp(score), 2), value: score}));
  readout.append(part);
}

/* ---- The same as a table, for readers who cannot see the picture ---- */

export function fillTable({parts, matrix}) {
  const table = document.createElement('table'), cell = (row, name, text, scope) => {
    const node = row.appendChild(document.createElement(name));
    node.textContent = text;
    node.dir = 'auto';
    if (scope)
      node.scope = scope;
  };
  const head = table.createTHead().insertRow(), body = table.createTBody();
  cell(head, 'td', '');
  for (const word of matrix.source)
    cell(head, 'th', word, 'col');
  matrix.target.forEach((word, t) => {
    const row = body.insertRow();
    cell(row, 'th', word, 'row');
    for (const weight of matrix.weight[t])
      cell(row, 'td', written(weight, 2));
  });
  parts.table.querySelector('.scroll').replaceChildren(table);
}

/* ---- Downloads ---- */

function saveAs(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const kindOf = ({view}) => view === 'both' ? 'heatmap' : view;

function pictureOf({matrix, answer, hypothesis, app, settings}, state, dark) {
  if (answer.frames)
    return askText('picture', formOf({model: settings.model, dark, matrix: {target: hypothesis.target, attention: matrix.weight}},
      app.file()));
  const shown = {source: answer.source, target: hypothesis.target, attention: matrix.weight};
  return askText('picture', {matrix: shown, view: kindOf(state), dark, format: 'svg'});
}

async function toPng(svg) {
  const image = new Image(), address = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  try {
    image.src = address;
    await image.decode();
    const scale = Math.min(PNG_SCALE, PNG_MOST / Math.max(image.width, image.height, 1));
    const canvas = Object.assign(document.createElement('canvas'),
      {width: Math.round(scale * image.width), height: Math.round(scale * image.height)});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/* One line, in the format of attend plot --matrix. */
function toJson({answer, hypothesis}) {
  const {alternatives, milliseconds, ...best} = answer;
  const chosen = hypothesis === answer ? {...best, alternatives} : {...best, heads: undefined, ...hypothesis};
  return `${JSON.stringify(chosen)}\n`;
}

/* What was written, as `kind`: svg, inkml or json. */
export async function saveWriting(kind, {answer}, dark) {
  const {text: q, model, bias, seed} = answer;
  const types = {svg: 'image/svg+xml', inkml: 'application/inkml+xml', json: 'application/json'};
  const text = kind === 'json' ? `${JSON.stringify(answer)}\n` : await askText('write', {q, model, bias, seed, dark, format: kind});
  saveAs(`${model}.${kind}`, new Blob([text], {type: types[kind]}));
}

export async function save(kind, panel, state, isDark) {
  const shown = kind === 'json' || panel.answer.frames ? 'attention' : kindOf(state);
  const name = `${panel.answer.model ?? panel.settings.model}-${shown}.${kind}`;
  if (kind === 'json')
    return saveAs(name, new Blob([toJson(panel)], {type: 'application/json'}));
  const svg = await pictureOf(panel, state, isDark);
  saveAs(name, kind === 'svg' ? new Blob([svg], {type: 'image/svg+xml'}) : await toPng(svg));
}
