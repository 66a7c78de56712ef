/* Attention matrices drawn into an <svg>: as a heatmap, as links between two lines of words, and as
 * the salience of the source words. No state, no network, no framework.
 *
 *   matrix     {source: [word], target: [word], weight: [[number or null]]}, a row for each target
 *   options    {width, height, scale, values, font}: pixels there are, the colours of weights as
 *              {steps: [of 0 to 1], none}, numbers too or not, the font family of the page
 *   selection  {target, source}: indices, -1 where none; a cell has both, a word one of them
 *
 * Each draw function empties the svg, sets its size and returns a view:
 *   at(x, y)              the selection at a point of the svg, or null
 *   mark(selection)       lights it up; null: nothing
 *   move(selection, key)  where an arrow key leads; the first place if there was no selection
 */

const NS = 'http://www.w3.org/2000/svg';
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LABEL = 13, LABEL_GAP = 7, VALUE = 11;
const CELL_LEAST = 12, CELL_MOST = 44, CELL_WITH_VALUE = 27, SLANT_LEAST = 18;
const CELL_COMFORT = 26; /* cells shrink to this before a matrix is higher than the window */
const LINK_LEAST = 0.05; /* thinner ones are drawn only for the word that is pointed at */

/* ---- Small things that all views need ---- */

function add(parent, name, attributes, text) {
  const node = parent.ownerDocument.createElementNS(NS, name);
  for (const key in attributes)
    node.setAttribute(key, attributes[key]);
  if (text !== undefined)
    node.textContent = text;
  parent.append(node);
  return node;
}

/* Isolates keep a word that is written from right to left from moving the signs around it. */
export function isolated(word) {
  return RIGHT_TO_LEFT.test(word) ? `\u2068${word}\u2069` : word;
}

export function runsLeftward(words) {
  return 2 * words.filter(word => RIGHT_TO_LEFT.test(word)).length > words.length;
}

export function colourOf(scale, weight) {
  if (weight === null)
    return scale.none;
  const last = scale.steps.length - 1;
  return scale.steps[Math.round(Math.min(Math.max(weight, 0), 1) * last)];
}

/* Near black or white, whichever reads better on a colour #rrggbb. */
export function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map(at => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.19 ? '#111111' : '#ffffff';
}

export function written(weight, digits = 3) {
  return weight === null ? 'nan' : weight.toFixed(digits);
}

/* Words as they are drawn in the page's font: {text, width}, cut where they are wider than `most`. */
function measured(svg, words, size, font, most) {
  const pen = svg.ownerDocument.createElement('canvas').getContext('2d');
  pen.font = `600 ${size}px ${font}`; /* as wide as they get when lit */
  return words.map(word => {
    const whole = pen.measureText(word).width;
    if (whole <= most)
      return {text: isolated(word), width: whole};
    const letters = [...word];
    const cut = letters.slice(0, Math.max(Math.floor(letters.length * most / whole) - 1, 1)).join('');
    return {text: isolated(`${cut}…`), width: pen.measureText(`${cut}…`).width};
  });
}

const wordMost = width => clamp(0.3 * width, 90, 200);
const widest = words => Math.max(0, ...words.map(word => word.width));

function clear(svg, width, height) {
  svg.replaceChildren();
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
}

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

function weightOf(matrix, t, s) {
  return matrix.weight[t][s];
}

/* ---- Heatmap ---- */

function cellSize({width, height, values}, S, T, head, side) {
  const least = values ? CELL_WITH_VALUE : CELL_LEAST;
  const across = (width - side - LABEL_GAP - 2) / Math.max(S, 1);
  const down = (height - 0.8 * head - LABEL_GAP - 2) / Math.max(T, 1);
  return Math.floor(clamp(Math.min(across, Math.max(down, CELL_COMFORT)), least, CELL_MOST));
}

function layOut(svg, matrix, options) {
  const S = matrix.source.length, T = matrix.target.length, most = wordMost(options.width);
  const heads = measured(svg, matrix.source, LABEL, options.font, most);
  const sides = measured(svg, matrix.target, LABEL, options.font, most);
  const cell = cellSize(options, S, T, widest(heads), widest(sides));
  const turn = widest(heads) <= cell - 4 ? 0 : cell >= SLANT_LEAST ? 45 : 90;
  const sine = Math.sin(turn * Math.PI / 180), cosine = Math.cos(turn * Math.PI / 180);
  /* Letters that lie on one another cannot be read: they are as high as the rows of them are apart. */
  const size = Math.min(LABEL, 0.8 * cell), headSize = turn === 45 ? Math.min(LABEL, 0.64 * cell) : size;
  const scale = headSize / LABEL, left = Math.ceil(widest(sides) * size / LABEL + LABEL_GAP) + 1;
  const top = Math.ceil(widest(heads) * scale * sine + headSize * cosine + LABEL_GAP + 3);
  let right = left + S * cell + 1;
  if (turn)
    heads.forEach((head, s) => {
      right = Math.max(right, left + (s + 0.5) * cell + head.width * scale * cosine + headSize * sine);
    });
  return {S, T, heads, sides, cell, size, headSize, turn, sine, left, top, width: Math.ceil(right),
    height: top + T * cell + 1};
}

/* One path for all cells of a colour: a few dozen nodes, however large the matrix. */
function addCells(svg, matrix, scale, l) {
  const paths = new Map();
  for (let t = 0; t < l.T; t++)
    for (let s = 0; s < l.S; s++) {
      const colour = colourOf(scale, weightOf(matrix, t, s));
      if (!paths.has(colour))
        paths.set(colour, []);
      paths.get(colour).push(`M${l.left + s * l.cell} ${l.top + t * l.cell}h${l.cell}v${l.cell}h${-l.cell}z`);
    }
  const group = add(svg, 'g', {'shape-rendering': 'crispEdges'});
  for (const [colour, path] of paths)
    add(group, 'path', {fill: colour, d: path.join('')});
  let grid = '';
  for (let s = 0; s <= l.S; s++)
    grid += `M${l.left + s * l.cell + 0.5} ${l.top}v${l.T * l.cell}`;
  for (let t = 0; t <= l.T; t++)
    grid += `M${l.left} ${l.top + t * l.cell + 0.5}h${l.S * l.cell}`;
  add(group, 'path', {class: 'grid', 'stroke-opacity': l.cell < SLANT_LEAST ? 0.6 : 1, d: grid});
}

function addValues(svg, matrix, scale, l) {
  const group = add(svg, 'g', {class: 'values', 'text-anchor': 'middle', 'font-size': VALUE});
  const digits = l.cell >= 34 ? weight => written(weight, 2) : weight => written(weight, 2).replace(/^0\./, '.');
  for (let t = 0; t < l.T; t++)
    for (let s = 0; s < l.S; s++) {
      const weight = weightOf(matrix, t, s);
      if (weight === null || Math.abs(weight) < 0.005)
        continue;
      add(group, 'text', {x: l.left + (s + 0.5) * l.cell, y: l.top + (t + 0.5) * l.cell + 0.36 * VALUE,
        fill: inkOn(colourOf(scale, weight))}, digits(weight));
    }
}

function addHeads(svg, l) {
  const group = add(svg, 'g', {class: 'words', 'font-size': l.headSize, 'text-anchor': l.turn ? 'start' : 'middle'});
  return l.heads.map(({text}, s) => {
    const x = l.left + (s + 0.5) * l.cell + 0.36 * l.headSize * l.sine, y = l.top - LABEL_GAP;
    const turn = l.turn ? {transform: `rotate(${-l.turn} ${x} ${y})`} : {};
    return add(group, 'text', {x, y, ...turn}, text);
  });
}

function addSides(svg, l) {
  const group = add(svg, 'g', {class: 'words', 'font-size': l.size, 'text-anchor': 'end'});
  return l.sides.map(({text}, t) =>
    add(group, 'text', {x: l.left - LABEL_GAP, y: l.top + (t + 0.5) * l.cell + 0.36 * l.size}, text));
}

/* What lies under the pointer: a row, a column, and the cell where they meet. */
function addCross(svg, l) {
  const group = add(svg, 'g', {class: 'cross', visibility: 'hidden'});
  const row = add(group, 'rect', {x: l.left, width: l.S * l.cell + 1, height: l.cell + 1});
  const column = add(group, 'rect', {y: l.top, width: l.cell + 1, height: l.T * l.cell + 1});
  const cell = add(group, 'rect', {class: 'cell', width: l.cell + 1, height: l.cell + 1});
  const show = (node, on) => node.setAttribute('visibility', on ? 'inherit' : 'hidden');
  return ({target: t, source: s}) => {
    group.setAttribute('visibility', t < 0 && s < 0 ? 'hidden' : 'visible');
    show(row, t >= 0);
    show(column, s >= 0);
    show(cell, t >= 0 && s >= 0);
    for (const node of [row, cell])
      node.setAttribute('y', l.top + t * l.cell);
    for (const node of [column, cell])
      node.setAttribute('x', l.left + s * l.cell);
  };
}

const NOTHING = {target: -1, source: -1};

function lightUp(words, chosen) {
  words.forEach((node, i) => {
    node.classList.toggle('lit', i === chosen);
    node.classList.toggle('dim', chosen >= 0 && i !== chosen);
  });
}

function moveInGrid(l, selection, key) {
  const {target, source} = selection ?? NOTHING;
  const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
    Home: [0, -l.S], End: [0, l.S]}[key];
  if (!step)
    return null;
  if (target < 0 || source < 0)
    return {target: Math.max(target, 0), source: Math.max(source, 0)};
  return {target: clamp(target + step[0], 0, l.T - 1), source: clamp(source + step[1], 0, l.S - 1)};
}

export function drawHeatmap(svg, matrix, options) {
  const l = layOut(svg, matrix, options);
  clear(svg, l.width, l.height);
  addCells(svg, matrix, options.scale, l);
  if (options.values)
    addValues(svg, matrix, options.scale, l);
  const cross = addCross(svg, l);
  const heads = addHeads(svg, l), sides = addSides(svg, l);
  return {
    at(x, y) {
      const s = Math.floor((x - l.left) / l.cell), t = Math.floor((y - l.top) / l.cell);
      const inside = {target: t >= 0 && t < l.T ? t : -1, source: s >= 0 && s < l.S ? s : -1};
      if (y < l.top && l.turn === 45) /* labels lean to the right */
        inside.source = clamp(Math.floor((x - (l.top - y) - l.left) / l.cell), -1, l.S);
      if (inside.source === l.S || (inside.target < 0 && y >= l.top) || (inside.source < 0 && x >= l.left))
        return null;
      return inside.target < 0 && inside.source < 0 ? null : inside;
    },
    mark(selection) {
      cross(selection ?? NOTHING);
      lightUp(heads, selection?.source ?? -1);
      lightUp(sides, selection?.target ?? -1);
    },
    move: (selection, key) => l.S && l.T ? moveInGrid(l, selection, key) : null,
  };
}

/* ---- Links ---- */

const WORD = 15, WORD_GAP = 16, WORD_GAP_MOST = 34, ROW = 28, LINK_HEIGHT = 190, LINK_WIDTH = 90, PAD = 6;

const sum = numbers => numbers.reduce((total, x) => total + x, 0);
const lineWidth = (words, gap) => sum(words.map(word => word.width)) + gap * Math.max(words.length - 1, 0);

/* Words of one line side by side; those that are read from the right begin there. */
function placeInRow(words, leftward, gap, y, endY, whole) {
  let x = (whole - lineWidth(words, gap)) / 2;
  return words.map(word => {
    const left = leftward ? whole - x - word.width : x;
    x += word.width + gap;
    return {...word, x: left, y, endX: left + word.width / 2, endY};
  });
}

/* In two lines if they fit, else in two columns: a box for each word with its end of the links. */
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

/* Give a word the colour of its weight; null takes it away. */
function tint(word, colour) {
  word.plate.style.fill = colour ?? '';
  word.text.style.fill = colour ? inkOn(colour) : '';
  word.node.classList.toggle('tinted', colour !== null);
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

export function drawLinks(svg, matrix, options) {
  const place = placeWords(svg, matrix, options);
  clear(svg, place.width, place.height);
  const all = add(svg, 'g', {class: 'links'}), lit = add(svg, 'g', {class: 'links lit'});
  eachLink(matrix, LINK_LEAST, (t, s, weight) => addLink(all, place.source[s], place.target[t], weight, place.rows));
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
        addLink(lit, place.source[s], place.target[t], weight, place.rows);
        tint(t === target ? words.source[s] : words.target[t], colourOf(options.scale, weight));
      });
    },
    move: (selection, key) => counts.source || counts.target ? moveBetween(counts, place.rows, selection, key) : null,
  };
}

/* ---- Salience: how much of all attention each source word got ---- */

export function salience(matrix) {
  return matrix.source.map((_, s) => sum(matrix.weight.map(row => row[s] ?? 0)));
}

const FLOW_MOST = 820; /* wider lines are hard to read */

/* Running text: {boxes, lines}. */
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
  words.forEach((word, s) => tint(word, colourOf(options.scale, total[s] / most)));
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

/* ---- Pointing at it ---- */

/* Follow pointer and keys: calls choose(selection or null). Returns a function that stops. */
export function follow(svg, view, choose) {
  const stop = new AbortController(), on = (name, act) => svg.addEventListener(name, act, {signal: stop.signal});
  let chosen = null;
  const set = selection => {
    if (chosen?.target === selection?.target && chosen?.source === selection?.source)
      return;
    chosen = selection;
    view.mark(selection);
    choose(selection);
  };
  const point = event => {
    const frame = svg.getBoundingClientRect();
    set(view.at(event.clientX - frame.left, event.clientY - frame.top));
  };
  on('pointermove', point);
  on('pointerdown', point);
  on('pointerleave', event => event.pointerType === 'touch' || set(null));
  on('blur', () => set(null));
  on('keydown', event => {
    const next = event.key === 'Escape' ? null : view.move(chosen, event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || (next === null && event.key !== 'Escape'))
      return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  });
  return () => stop.abort();
}

/* What is said about a selection: {word, isTarget, others: [{word, weight}]}. A cell has one other, a
 * word the `most` that it has most to do with. */
export function describe(matrix, {target, source}, most = 3) {
  const word = target >= 0 ? matrix.target[target] : matrix.source[source];
  let others;
  if (target >= 0 && source >= 0)
    others = [{word: matrix.source[source], weight: weightOf(matrix, target, source)}];
  else if (target >= 0)
    others = matrix.source.map((name, s) => ({word: name, weight: weightOf(matrix, target, s)}));
  else
    others = matrix.target.map((name, t) => ({word: name, weight: weightOf(matrix, t, source)}));
  others.sort((a, b) => (b.weight ?? -Infinity) - (a.weight ?? -Infinity));
  return {word, isTarget: target >= 0, others: others.slice(0, most)};
}
