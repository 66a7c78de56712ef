/* Pictures of attention over frames: a strip (sound, arrays, lines of writing) with a row of weights below it for each
 * word, the trace of a pen, or an image once for each word. Like those of attention.js, they fill an <svg> and return
 * a view for follow.js. `frames` is the member of the server's answer, with what the frames hold. */
import {NOTHING, add, clamp, clear, measured, widest, wordMost} from './attention.js';
import {scales} from './colors.js';

const FONT = 14, SMALL = 12, GAP = 8, ROW = 24;
const palette = { /* those of attend plot (viz/frames_panel.c) */
  light: ['#660066', '#ee8800', '#cc0088', '#004400', '#6666ee', '#886600', '#0000cc', '#cc88cc'],
  dark: ['#00eeee', '#884488', '#66cc00', '#2244ee', '#ee6688', '#eeee66', '#8888ee', '#446600'],
};

/* ---- Shares and pixels ---- */

/* Each weight as a share of the largest of its word. */
const sharesOf = row => {
  const most = Math.max(...row.filter(Number.isFinite), 1e-12);
  return row.map(weight => clamp((weight ?? 0) / most, 0, 1));
};

const channels = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

/* The address of an image of width x height pixels; at(x, y) gives [r, g, b, a]. */
function imageOf(width, height, at) {
  const canvas = Object.assign(document.createElement('canvas'), {width, height});
  const context = canvas.getContext('2d'), image = context.createImageData(width, height);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 4)
      image.data.set(at(x, y), i);
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

function put(svg, href, x, y, width, height, smooth = false) {
  return add(svg, 'image', {href, x, y, width, height, preserveAspectRatio: 'none',
    'image-rendering': smooth ? 'auto' : 'pixelated'});
}

const shaded = (steps, share) => [...channels(steps[Math.round(share * (steps.length - 1))]), 255];
const isImage = kind => kind === 'columns' || kind === 'patches';

/* The values as shares: gray 0 is dark in an image; of sound, the quietest has the color of the paper. */
function grayOf(frames, dark) {
  const bytes = Uint8Array.from(atob(frames.values), letter => letter.charCodeAt(0)), {width} = frames;
  if (isImage(frames.kind))
    return (x, y) => bytes[y * width + x];
  const sorted = bytes.slice().sort(), low = sorted[Math.floor(0.02 * bytes.length)];
  const high = Math.max(sorted[Math.floor(0.995 * (bytes.length - 1))], low + 1), paper = dark ? 24 : 255;
  const ink = dark ? 235 : 25;
  return (x, y) => paper + (ink - paper) * clamp((bytes[x * width + width - 1 - y] - low) / (high - low), 0, 1);
}

function lightUp(nodes, chosen) {
  nodes.forEach((node, i) => {
    node.classList.toggle('lit', i === chosen);
    node.classList.toggle('dim', chosen >= 0 && i !== chosen);
  });
}

/* Dots where the user has set the attention; placeOf({target, source}) gives their [x, y]. */
function markTold(svg, told, {S, T}, placeOf) {
  const group = add(svg, 'g', {class: 'told'});
  for (const [cx, cy] of told.filter(({target, source}) => target < T && source < S).map(placeOf))
    add(group, 'circle', {cx, cy, r: 5});
}

/* Arrow keys: up and down between words; left and right between columns. */
function move({T, S}, selection, key) {
  const {target, source} = selection ?? NOTHING;
  const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[key] ?? [];
  if (down === undefined || !T)
    return null;
  return {target: down ? clamp(target + down, 0, T - 1) : target,
    source: right ? clamp(source + right, 0, S - 1) : source};
}

/* ---- Strips ---- */

function axisOf(frames, S, last) {
  if (frames.kind !== 'sound')
    return {unit: frames.kind === 'columns' ? 'pixels' : 'rows', end: frames.rows, text: value => String(value)};
  return {unit: 'seconds', end: frames.rows * frames.seconds, text: value => value.toFixed(last < 0.5 ? 2 : 1)};
}

function addAxis(svg, l, frames) {
  const rough = (frames.kind === 'sound' ? frames.rows * frames.seconds : frames.rows) * 70 / l.wide;
  const power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find(k => k * power >= rough) * power;
  const axis = axisOf(frames, l.S, step), y = l.bottom;
  const group = add(svg, 'g', {class: 'numbers', 'font-size': SMALL, 'text-anchor': 'middle'});
  add(svg, 'path', {class: 'axis', d: `M${l.left} ${y + 0.5}h${l.wide}`});
  for (let value = 0; value <= axis.end; value = +(value + step).toPrecision(6))
    add(group, 'text', {x: l.left + value / axis.end * l.wide, y: y + SMALL + 5}, axis.text(value));
  add(group, 'text', {x: l.left - 2.5 * GAP, y: y + SMALL + 5, 'text-anchor': 'end'}, axis.unit);
}

function layOutStrip(svg, {source, target}, frames, {width, font}) {
  const words = measured(svg, target, FONT, font, wordMost(width)), left = Math.max(widest(words), 68) + GAP;
  const S = source.length, T = target.length, wide = Math.min(Math.max(width - left - GAP, 80), 40 * S);
  const columns = frames.kind === 'columns' ? frames.width : frames.rows;
  const tall = frames.kind === 'columns' ? clamp(wide * frames.height / columns, 24, 140) : 96;
  return {S, T, words, left, wide, tall, cell: wide / (columns / frames.each), bottom: tall + GAP + T * ROW};
}

function addRows(svg, l, matrix, steps) {
  matrix.weight.forEach((row, t) => {
    const shares = sharesOf(row), href = imageOf(l.S, 1, x => shaded(steps, shares[x]));
    put(svg, href, l.left, l.tall + GAP + t * ROW, l.cell * l.S, ROW - 3);
  });
}

function drawStrip(svg, matrix, frames, options) {
  const l = layOutStrip(svg, matrix, frames, options), scale = options.dark ? scales.dark : scales.light;
  const gray = grayOf(frames, options.dark), isLine = frames.kind === 'columns';
  clear(svg, l.left + l.wide + GAP, l.bottom + SMALL + 10);
  const [across, down] = isLine ? [frames.width, frames.height] : [frames.height, frames.width];
  put(svg, imageOf(across, down, (x, y) => [gray(x, y), gray(x, y), gray(x, y), 255]), l.left, 0, l.wide, l.tall, !isLine);
  const veil = put(svg, '', l.left, 0, l.cell * l.S, l.tall);
  addRows(svg, l, matrix, scale.steps);
  addAxis(svg, l, frames);
  markTold(svg, options.told, l, ({target, source}) =>
    [l.left + (source + 0.5) * l.cell, l.tall + GAP + target * ROW + (ROW - 3) / 2]);
  const line = add(svg, 'rect', {class: 'cursor', y: 0, width: Math.max(l.cell, 1.5), height: l.bottom, visibility: 'hidden'});
  const group = add(svg, 'g', {class: 'words', 'font-size': FONT, 'text-anchor': 'end'});
  const labels = l.words.map(({text}, t) => add(group, 'text', {x: l.left - GAP, y: l.tall + GAP + (t + 0.68) * ROW}, text));
  const [r, g, b] = channels(options.dark ? '#16181c' : '#ffffff');
  return {
    at(x, y) {
      const t = Math.floor((y - l.tall - GAP) / ROW), s = Math.floor((x - l.left) / l.cell);
      const target = t >= 0 && t < l.T ? t : -1, source = s >= 0 && s < l.S ? s : -1;
      return target < 0 && (source < 0 || y > l.tall) ? null : {target, source};
    },
    mark(selection) {
      const {target, source} = selection ?? NOTHING, shares = target < 0 ? null : sharesOf(matrix.weight[target]);
      veil.setAttribute('href', shares ? imageOf(l.S, 1, x => [r, g, b, 210 * (1 - shares[x])]) : '');
      veil.setAttribute('visibility', shares ? 'visible' : 'hidden');
      line.setAttribute('visibility', source < 0 ? 'hidden' : 'visible');
      line.setAttribute('x', l.left + source * l.cell);
      lightUp(labels, target);
    },
    move: (selection, key) => move(l, selection, key),
  };
}

/* ---- Ink ---- */

/* [{x, y, column, starts}] in pixels. */
function pointsOf(frames, scale) {
  let x = 0, y = 0, up = true;
  return frames.points.map(([dx, dy, lift], i) => {
    const starts = up;
    x += dx;
    y += dy;
    up = lift === 1;
    return {x: x * scale, y: y * scale, column: Math.floor(i / frames.each), starts};
  });
}

/* The word with the largest weight at a column. */
const topOf = (weight, column) => weight.reduce((best, row, t) => row[column] > weight[best][column] ? t : best, 0);

function layOutInk(svg, {source, target, weight}, frames, {width, font}) {
  const bare = pointsOf(frames, 1), wide = Math.max(...bare.map(p => p.x)) - Math.min(...bare.map(p => p.x));
  const scale = Math.min(170, (width - 60) / Math.max(wide, 0.3)), points = pointsOf(frames, scale), PAD = 24;
  const left = Math.min(...points.map(p => p.x)) - PAD, top = Math.min(...points.map(p => p.y)) - 14;
  for (const point of points)
    Object.assign(point, {x: point.x - left, y: point.y - top});
  const bottom = Math.max(...points.map(p => p.y)) + 14, right = Math.max(...points.map(p => p.x)) + PAD;
  const words = measured(svg, target, 17, font, wordMost(width));
  let end = 0;
  const places = words.map((word, t) => { /* below what the word attends to, in the order of the words */
    const parts = points.map(p => (weight[t][p.column] ?? 0) ** 2), sum = parts.reduce((all, one) => all + one, 0) || 1;
    const mean = points.reduce((all, p, i) => all + p.x * parts[i], 0) / sum;
    const x = Math.max(mean - word.width / 2, end + 8);
    end = x + word.width;
    return x;
  });
  return {S: source.length, T: target.length, points, words, places, bottom, width: Math.max(right, end + 8)};
}

function drawInk(svg, matrix, frames, options) {
  const l = layOutInk(svg, matrix, frames, options), colors = palette[options.dark ? 'dark' : 'light'];
  const shares = matrix.weight.map(sharesOf);
  clear(svg, l.width, l.bottom + 34);
  const ink = add(svg, 'g', {class: 'ink'});
  const parts = l.points.map((point, i) => {
    const from = point.starts ? point : l.points[i - 1];
    return add(ink, 'path', {d: `M${from.x} ${from.y}L${point.x} ${point.y + (point.starts ? 0.01 : 0)}`});
  });
  const dot = add(svg, 'circle', {class: 'cursor', r: 8, visibility: 'hidden'});
  const pointOf = column => l.points.find(point => point.column === column);
  markTold(svg, options.told, l, ({source}) => [pointOf(source).x, pointOf(source).y]);
  const group = add(svg, 'g', {class: 'words', 'font-size': 17});
  const labels = l.words.map(({text}, t) => add(group, 'text', {x: l.places[t], y: l.bottom + 20}, text));
  labels.forEach((label, t) => { label.style.fill = colors[t % colors.length]; });
  const nearest = (x, y) => l.points.reduce((best, p) => {
    const far = Math.hypot(p.x - x, p.y - y);
    return far < best.far ? {far, column: p.column} : best;
  }, {far: 14, column: -1}).column;
  return {
    at(x, y) {
      const label = y < l.bottom ? -1 : l.words.findIndex(({width}, t) => x >= l.places[t] - 5 && x <= l.places[t] + width + 5);
      const source = label < 0 ? nearest(x, y) : -1;
      return label < 0 && source < 0 ? null : {target: label, source};
    },
    mark(selection) {
      const {target, source} = selection ?? NOTHING;
      parts.forEach((part, i) => {
        const {column} = l.points[i], t = target < 0 ? topOf(matrix.weight, column) : target, share = shares[t][column];
        part.style.stroke = target < 0 ? colors[t % colors.length]
          : `color-mix(in oklab, ${colors[t % colors.length]} ${Math.round(100 * share)}%, var(--rule))`;
        part.style.strokeWidth = 2 + 5 * share;
      });
      const point = pointOf(source);
      dot.setAttribute('visibility', point ? 'visible' : 'hidden');
      dot.setAttribute('cx', point?.x ?? 0);
      dot.setAttribute('cy', point?.y ?? 0);
      lightUp(labels, target);
    },
    move: (selection, key) => move(l, selection, key),
  };
}

/* ---- Images in patches ---- */

/* Tile 0 is the image; tile t + 1 shows where word t looked. */
function layOutPatches({source, target}, frames, {width}) {
  const most = target.length > 8 ? 120 : 160, scale = most / Math.max(frames.width, frames.height);
  const wide = frames.width * scale, tall = frames.height * scale, across = Math.max(Math.floor(width / (wide + 2 * GAP)), 1);
  const count = target.length + 1, place = i => [i % across * (wide + 2 * GAP), Math.floor(i / across) * (tall + 34)];
  return {S: source.length, T: target.length, wide, tall, place, count, side: frames.side * scale,
    width: Math.min(across, count) * (wide + 2 * GAP), height: Math.ceil(count / across) * (tall + 34)};
}

function drawPatches(svg, matrix, frames, options) {
  const l = layOutPatches(matrix, frames, options), gray = grayOf(frames, options.dark);
  const down = Math.ceil(frames.rows / frames.across), [r, g, b] = channels(options.dark ? '#16181c' : '#ffffff');
  const picture = imageOf(frames.width, frames.height, (x, y) => [gray(x, y), gray(x, y), gray(x, y), 255]);
  clear(svg, l.width, l.height);
  const group = add(svg, 'g', {class: 'words', 'font-size': FONT, 'text-anchor': 'middle'});
  const labels = ['', ...matrix.target].map((word, i) => {
    const [x, y] = l.place(i), shares = i ? sharesOf(matrix.weight[i - 1]) : null;
    put(svg, picture, x, y, l.wide, l.tall);
    if (shares)
      put(svg, imageOf(frames.across, down, (px, py) => [r, g, b,
        225 * (1 - (shares[Math.floor((py * frames.across + px) / frames.each)] ?? 0))]),
      x, y, frames.across * l.side, down * l.side);
    add(svg, 'rect', {class: 'tile', x: x + 0.5, y: y + 0.5, width: l.wide - 1, height: l.tall - 1});
    return add(group, 'text', {x: x + l.wide / 2, y: y + l.tall + 19}, word);
  }).slice(1);
  const tiles = [...svg.querySelectorAll('.tile')];
  markTold(svg, options.told, l, ({target, source}) => {
    const [left, top] = l.place(target + 1), patch = source * frames.each;
    return [left + (patch % frames.across + 0.5) * l.side, top + (Math.floor(patch / frames.across) + 0.5) * l.side];
  });
  return {
    at(x, y) {
      for (let i = 0; i < l.count; i++) {
        const [left, top] = l.place(i), px = Math.floor((x - left) / l.side), py = Math.floor((y - top) / l.side);
        if (x < left || x > left + l.wide || y < top || y > top + l.tall + 26)
          continue;
        const patch = Math.floor((py * frames.across + px) / frames.each), inside = y < top + l.tall && patch < l.S;
        return i || inside ? {target: i - 1, source: inside ? patch : -1} : null;
      }
      return null;
    },
    mark(selection) {
      tiles.forEach((tile, i) => tile.classList.toggle('lit', i > 0 && i - 1 === selection?.target));
      lightUp(labels, selection?.target ?? -1);
    },
    move: (selection, key) => move(l, selection, key),
  };
}

/* ---- All ---- */

const draw = {ink: drawInk, patches: drawPatches};

/* A word that has been clicked is held: its picture stays, and places of the source then are cells of this word. */
function holding(view) {
  let held = -1;
  const show = selection => view.mark(selection ?? (held < 0 ? null : {target: held, source: -1}));
  return {
    ...view,
    at(x, y) {
      const selection = view.at(x, y);
      return selection && selection.target < 0 && held >= 0 ? {...selection, target: held} : selection;
    },
    mark: show,
    holds: () => held >= 0,
    hold(selection) {
      held = selection?.source < 0 && selection.target !== held ? selection.target : -1;
      show(selection);
    },
  };
}

/* Whether the answer has what a picture needs. */
export const isDrawn = frames => Boolean(frames?.points ?? frames?.values);
/* options: {width, dark, font, told: [{target, source}]} */
export function drawFrames(svg, matrix, frames, options) {
  return holding((draw[frames.kind] ?? drawStrip)(svg, matrix, frames, options));
}
