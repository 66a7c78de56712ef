/* Attention as lines between two rows of words, and as the salience of source words: see attention.js. */
import {NOTHING, VALUE, add, clamp, clear, colorOf, inkOn, measured, runsLeftward, widest, wordMost, written} from './attention.js';

const LINK_LEAST = 0.05; /* weaker links are drawn only for the word under the pointer */

const WORD = 15, WORD_GAP = 16, WORD_GAP_MOST = 34, ROW = 28, LINK_HEIGHT = 190, LINK_WIDTH = 90, PAD = 6;

const sum = numbers => numbers.reduce((total, x) => total + x, 0);
const lineWidth = (words, gap) => sum(words.map(word => word.width)) + gap * Math.max(words.length - 1, 0);

/* Words of one line side by side; a right-to-left line starts at the right. */
function placeInRow(words, leftward, gap, y, endY, whole) {
  let x = (whole - lineWidth(words, gap)) / 2;
  return words.map(word => {
    const left = leftward ? whole - x - word.width : x;
    x += word.width + gap;
    return {...word, x: left, y, endX: left + word.width / 2, endY};
  });
}

/* In two lines if they fit, otherwise in two columns: a box for each word, with the end of its links. */
function placeWords(svg, matrix, {width, font}) {
  const source = measured(svg, matrix.source, WORD, font, wordMost(width));
  const target = measured(svg, matrix.target, WORD, font, wordMost(width));
  const room = width - 2 * PAD, long = gap => Math.max(lineWidth(source, gap), lineWidth(target, gap));
  if (long(WORD_GAP) <= room) {
    const gaps = Math.max(source.length, target.length) - 1;
    const gap = clamp(WORD_GAP + (room - long(WORD_GAP)) / Math.max(gaps, 1), WORD_GAP, WORD_GAP_MOST);
    const whole = Math.ceil(Math.min(long(gap), room) + 2 * PAD);
    return {rows: true, width: whole, height: LINK_HEIGHT + 2 * ROW,
      source: placeInRow(source, runsLeftward(matrix.source), gap, ROW / 2, ROW, whole),
      target: placeInRow(target, runsLeftward(matrix.target), gap, LINK_HEIGHT + 1.5 * ROW, LINK_HEIGHT + ROW, whole)};
  }
  const left = widest(source) + 2 * PAD, gap = clamp(room - left - widest(target), LINK_WIDTH, 320);
  const column = (words, end, place) => words.map((word, i) =>
    ({...word, x: place(word), y: ROW * (i + 0.5), endX: end, endY: ROW * (i + 0.5)}));
  return {rows: false, width: Math.ceil(left + gap + widest(target) + 2 * PAD),
    height: ROW * Math.max(source.length, target.length, 1),
    source: column(source, left, word => left - PAD - word.width),
    target: column(target, left + gap, () => left + gap + PAD)};
}

function linkPath(from, to, rows) {
  const x = (from.endX + to.endX) / 2, y = (from.endY + to.endY) / 2;
  const bend = rows ? `${from.endX} ${y} ${to.endX} ${y}` : `${x} ${from.endY} ${x} ${to.endY}`;
  return `M${from.endX} ${from.endY}C${bend} ${to.endX} ${to.endY}`;
}

function addLink(group, from, to, weight, rows) {
  return add(group, 'path', {d: linkPath(from, to, rows), 'stroke-width': (0.6 + 5.4 * weight).toFixed(2),
    'stroke-opacity': (0.15 + 0.75 * Math.sqrt(weight)).toFixed(2)});
}

/* The point at parameter u on the center line of a link, a cubic curve. */
function linkPoint(from, to, rows, u) {
  const v = 1 - u, ends = [v * v * (v + 3 * u), u * u * (u + 3 * v)], middle = 3 * u * v;
  const x = [from.endX, to.endX], y = [from.endY, to.endY];
  const along = ([a, b]) => ends[0] * a + ends[1] * b;
  const across = ([a, b]) => v * v * v * a + u * u * u * b + middle * (a + b) / 2;
  return rows ? [along(x), across(y)] : [across(x), along(y)];
}

function farFromLink(from, to, rows, x, y) {
  let least = Infinity;
  for (let i = 0; i <= 24; i++) {
    const [px, py] = linkPoint(from, to, rows, i / 24);
    least = Math.min(least, Math.hypot(px - x, py - y));
  }
  return least;
}

function eachLink(matrix, least, visit) {
  matrix.weight.forEach((row, t) => row.forEach((weight, s) => {
    if (weight !== null && weight >= least)
      visit(t, s, Math.min(weight, 1));
  }));
}

function addWords(svg, boxes) {
  const group = add(svg, 'g', {class: 'words', 'font-size': WORD, 'text-anchor': 'middle'});
  return boxes.map(box => {
    const node = add(group, 'g', {class: 'word'});
    const plate = add(node, 'rect', {x: box.x - PAD, y: box.y - ROW / 2 + 2, width: box.width + 2 * PAD,
      height: ROW - 4, rx: 4});
    const text = add(node, 'text', {x: box.x + box.width / 2, y: box.y + 0.36 * WORD}, box.text);
    return {node, plate, text};
  });
}

/* Give a word the color of its weight; null removes it. */
function tint(word, color) {
  word.plate.style.fill = color ?? '';
  word.text.style.fill = color ? inkOn(color) : '';
  word.node.classList.toggle('tinted', color !== null);
}

function within(boxes, x, y) {
  return boxes.findIndex(box => x >= box.x - WORD_GAP / 2 && x < box.x + box.width + WORD_GAP / 2 &&
    Math.abs(y - box.y) <= ROW / 2);
}

function moveBetween(counts, rows, selection, key) {
  const [back, forth, across] = rows ? ['ArrowLeft', 'ArrowRight', ['ArrowUp', 'ArrowDown']]
    : ['ArrowUp', 'ArrowDown', ['ArrowLeft', 'ArrowRight']];
  if (![back, forth, ...across, 'Home', 'End'].includes(key))
    return null;
  if (!selection)
    return {target: counts.target ? 0 : -1, source: counts.target ? -1 : 0};
  const side = selection.target >= 0 ? 'target' : 'source', other = side === 'target' ? 'source' : 'target';
  const at = selection[side], last = counts[side] - 1;
  if (across.includes(key))
    return counts[other] ? {...NOTHING, [other]: clamp(at, 0, counts[other] - 1)} : selection;
  const next = {[back]: at - 1, [forth]: at + 1, Home: 0, End: last}[key];
  return {...NOTHING, [side]: clamp(next, 0, last)};
}

const GRAB = 9; /* pixels beside a line where it can still be grabbed */

/* The word at a point, or the target word of the nearest line. */
function grabAt(matrix, place, x, y) {
  const target = within(place.target, x, y), source = within(place.source, x, y);
  if (target >= 0 || source >= 0)
    return {target, source: target < 0 ? source : -1};
  let least = GRAB, found = null;
  eachLink(matrix, LINK_LEAST, (t, s) => {
    const far = farFromLink(place.source[s], place.target[t], place.rows, x, y);
    if (far < least) {
      least = far;
      found = {target: t, source: -1};
    }
  });
  return found;
}

export function drawLinks(svg, matrix, options) {
  const place = placeWords(svg, matrix, options), told = options.told ?? [];
  clear(svg, place.width, place.height);
  const all = add(svg, 'g', {class: 'links'}), lit = add(svg, 'g', {class: 'links lit'});
  const pulled = add(svg, 'g', {class: 'links lit'});
  const link = (group, t, s, weight) => addLink(group, place.source[s], place.target[t], weight, place.rows)
    .classList.toggle('told', told.some(cell => cell.target === t && cell.source === s));
  eachLink(matrix, LINK_LEAST, (t, s, weight) => link(all, t, s, weight));
  const words = {source: addWords(svg, place.source), target: addWords(svg, place.target)};
  const counts = {source: matrix.source.length, target: matrix.target.length};
  return {
    at(x, y) {
      const target = within(place.target, x, y), source = within(place.source, x, y);
      return target < 0 && source < 0 ? null : {target, source: target < 0 ? source : -1};
    },
    mark(selection) {
      const {target, source} = selection ?? NOTHING;
      lit.replaceChildren();
      svg.classList.toggle('choosing', selection !== null);
      for (const side of ['source', 'target'])
        words[side].forEach((word, i) => {
          tint(word, null);
          word.node.classList.toggle('lit', i === (selection ?? NOTHING)[side]);
        });
      eachLink(matrix, 0.005, (t, s, weight) => {
        if (t !== target && s !== source)
          return;
        link(lit, t, s, weight);
        tint(t === target ? words.source[s] : words.target[t], colorOf(options.scale, weight));
      });
    },
    move: (selection, key) => counts.source || counts.target ? moveBetween(counts, place.rows, selection, key) : null,
    grab: (x, y) => grabAt(matrix, place, x, y),
    pull(from, x, y) {
      pulled.replaceChildren();
      if (!from)
        return;
      const word = from.target >= 0 ? place.target[from.target] : place.source[from.source];
      addLink(pulled, word, {endX: x, endY: y}, 0.6, place.rows).classList.add('pulled');
    },
  };
}

/* ---- Salience: the total attention that each source word received ---- */

export function salience(matrix) {
  return matrix.source.map((_, s) => sum(matrix.weight.map(row => row[s] ?? 0)));
}

const FLOW_MOST = 820; /* longer lines are hard to read */

/* Running text as {boxes, lines}. */
function flow(words, leftward, width, row) {
  let x = PAD, line = 0;
  const boxes = words.map(word => {
    if (x > PAD && x + word.width + PAD > width) {
      x = PAD;
      line++;
    }
    const box = {...word, x: leftward ? width - x - word.width : x, y: row * line + ROW / 2};
    x += word.width + WORD_GAP;
    return box;
  });
  return {boxes, lines: line + 1};
}

export function drawSalience(svg, matrix, options) {
  const total = salience(matrix), most = Math.max(1e-9, ...total), row = options.values ? ROW + 20 : ROW + 6;
  const width = Math.min(options.width, FLOW_MOST);
  const {boxes, lines} = flow(measured(svg, matrix.source, WORD, options.font, wordMost(width)),
    runsLeftward(matrix.source), width, row);
  clear(svg, width, row * lines);
  const words = addWords(svg, boxes);
  words.forEach((word, s) => tint(word, colorOf(options.scale, total[s] / most)));
  const numbers = add(svg, 'g', {class: 'numbers', 'text-anchor': 'middle', 'font-size': VALUE});
  if (options.values)
    boxes.forEach((box, s) =>
      add(numbers, 'text', {x: box.x + box.width / 2, y: box.y + ROW / 2 + VALUE}, written(total[s], 2)));
  const last = words.length - 1;
  const step = {ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -last, End: last};
  return {
    at(x, y) {
      const source = within(boxes, x, y);
      return source < 0 ? null : {target: -1, source};
    },
    mark: selection => words.forEach((word, s) => word.node.classList.toggle('lit', s === selection?.source)),
    move: (selection, key) => last < 0 || !step[key] ? null
      : {target: -1, source: selection ? clamp(selection.source + step[key], 0, last) : 0},
  };
}
