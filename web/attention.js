/* Draws attention matrices into an <svg>: heatmaps here; links between two lines of words and the salience of source
 * words in links.js. No state, no network, no framework.
 *
 *   matrix     {source: [word], target: [word], weight: [[number or null]]}, one row per target word
 *   options    {width, height, scale, values, font, told, pins}: the available pixels; the colors of weights as
 *              {steps: [of 0 to 1], none}; whether to show numbers; the font family of the page; cells whose weight
 *              the user has set [{target, source}]; elements for labels that stay visible (see pinLabels)
 *   selection  {target, source}: indices, or -1; a cell has both, a word one of them
 *
 * Each draw function empties the svg, sets its size and returns a view:
 *   at(x, y)              the selection at a point of the svg, or null
 *   mark(selection)       highlights it; null: nothing
 *   move(selection, key)  the selection after an arrow key; the first place if there was none
 *   reveal(selection)     scrolls to it (heatmaps with pins)
 *   grab(x, y)            the word that a drag from there takes; on a line, its target word (links)
 *   pull(from, x, y)      draws a line from the taken word to there; from null: none (links) */

const NS = 'http://www.w3.org/2000/svg';
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const LABEL = 13, LABEL_GAP = 7;
export const VALUE = 11; /* font size of numbers in pixels */
const CELL_LEAST = 12, CELL_MOST = 44, CELL_WITH_VALUE = 27, SLANT_LEAST = 18;
const CELL_COMFORT = 26; /* cells shrink to this size before a matrix becomes higher than the window */
export const NOTHING = {target: -1, source: -1};

/* ---- Helpers of all views ---- */

export function add(parent, name, attributes, text) {
  const node = parent.ownerDocument.createElementNS(NS, name);
  for (const key in attributes)
    node.setAttribute(key, attributes[key]);
  if (text !== undefined)
    node.textContent = text;
  parent.append(node);
  return node;
}

/* Isolates keep a right-to-left word from reordering the characters around it. */
export function isolated(word) {
  return RIGHT_TO_LEFT.test(word) ? `\u2068${word}\u2069` : word;
}

export function runsLeftward(words) {
  return 2 * words.filter(word => RIGHT_TO_LEFT.test(word)).length > words.length;
}

export function colorOf(scale, weight) {
  if (weight === null)
    return scale.none;
  const last = scale.steps.length - 1;
  return scale.steps[Math.round(Math.min(Math.max(weight, 0), 1) * last)];
}

/* Near black or near white, whichever has more contrast with a color #rrggbb. */
export function inkOn(color) {
  const [r, g, b] = [1, 3, 5].map(at => (parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.19 ? '#111111' : '#ffffff';
}

export function written(weight, digits = 3) {
  return weight === null ? '-' : weight.toFixed(digits);
}

/* The widths of words in the page's font: {text, width}; words wider than `most` are cut. */
export function measured(svg, words, size, font, most) {
  const pen = svg.ownerDocument.createElement('canvas').getContext('2d');
  pen.font = `600 ${size}px ${font}`; /* bold, as they are when highlighted */
  return words.map(word => {
    const whole = pen.measureText(word).width;
    if (whole <= most)
      return {text: isolated(word), width: whole};
    const letters = [...word];
    const cut = letters.slice(0, Math.max(Math.floor(letters.length * most / whole) - 1, 1)).join('');
    return {text: isolated(`${cut}…`), width: pen.measureText(`${cut}…`).width};
  });
}

export const wordMost = width => clamp(0.3 * width, 90, 200);
export const widest = words => Math.max(0, ...words.map(word => word.width));

export function clear(svg, width, height, left = 0) {
  svg.replaceChildren();
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  svg.setAttribute('viewBox', `${left} 0 ${width} ${height}`);
}

export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

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

/* If the source is right-to-left, the heatmap is mirrored: columns run from right to left, and the target words are on
 * the right. */
function layOut(svg, matrix, options) {
  const S = matrix.source.length, T = matrix.target.length, most = wordMost(options.width);
  const heads = measured(svg, matrix.source, LABEL, options.font, most);
  const sides = measured(svg, matrix.target, LABEL, options.font, most);
  const cell = cellSize(options, S, T, widest(heads), widest(sides));
  const turn = widest(heads) <= cell - 4 ? 0 : cell >= SLANT_LEAST ? 45 : 90;
  const sine = Math.sin(turn * Math.PI / 180), cosine = Math.cos(turn * Math.PI / 180);
  /* Letters must not overlap: they are no higher than the distance of their rows. */
  const size = Math.min(LABEL, 0.8 * cell), headSize = turn === 45 ? Math.min(LABEL, 0.64 * cell) : size;
  const scale = headSize / LABEL, side = Math.ceil(widest(sides) * size / LABEL + LABEL_GAP) + 1;
  const top = Math.ceil(widest(heads) * scale * sine + headSize * cosine + LABEL_GAP + 3);
  let far = side + S * cell + 1;
  if (turn)
    heads.forEach((head, s) => {
      far = Math.max(far, side + (s + 0.5) * cell + head.width * scale * cosine + headSize * sine);
    });
  const width = Math.ceil(far), mirrored = runsLeftward(matrix.source);
  const left = mirrored ? width - side - S * cell : side, right = left + S * cell;
  const place = s => mirrored ? S - 1 - s : s;
  return {S, T, heads, sides, cell, size, headSize, turn, sine, mirrored, side, left, right, top, width, place,
    columnX: s => left + place(s) * cell, height: top + T * cell + 1};
}

/* One path for all cells of a color, so even a large matrix has only a few dozen nodes. */
function addCells(svg, matrix, scale, l) {
  const paths = new Map();
  for (let t = 0; t < l.T; t++)
    for (let s = 0; s < l.S; s++) {
      const color = colorOf(scale, weightOf(matrix, t, s));
      if (!paths.has(color))
        paths.set(color, []);
      paths.get(color).push(`M${l.columnX(s)} ${l.top + t * l.cell}h${l.cell}v${l.cell}h${-l.cell}z`);
    }
  const group = add(svg, 'g', {'shape-rendering': 'crispEdges'});
  for (const [color, path] of paths)
    add(group, 'path', {fill: color, d: path.join('')});
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
      add(group, 'text', {x: l.columnX(s) + 0.5 * l.cell, y: l.top + (t + 0.5) * l.cell + 0.36 * VALUE,
        fill: inkOn(colorOf(scale, weight))}, digits(weight));
    }
}

function addHeads(svg, l) {
  const lean = l.mirrored && l.turn < 90 ? -1 : 1, anchor = !l.turn ? 'middle' : lean < 0 ? 'end' : 'start';
  const group = add(svg, 'g', {class: 'words', 'font-size': l.headSize, 'text-anchor': anchor});
  return l.heads.map(({text}, s) => {
    const x = l.columnX(s) + 0.5 * l.cell + lean * 0.36 * l.headSize * l.sine, y = l.top - LABEL_GAP;
    const turn = l.turn ? {transform: `rotate(${-lean * l.turn} ${x} ${y})`} : {};
    return add(group, 'text', {x, y, ...turn}, text);
  });
}

function addSides(svg, l) {
  const x = l.mirrored ? l.right + LABEL_GAP : l.left - LABEL_GAP;
  const group = add(svg, 'g', {class: 'words', 'font-size': l.size, 'text-anchor': l.mirrored ? 'start' : 'end'});
  return l.sides.map(({text}, t) =>
    add(group, 'text', {x, y: l.top + (t + 0.5) * l.cell + 0.36 * l.size}, text));
}

/* Highlights a row, a column, and the cell where they meet. */
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
      node.setAttribute('x', l.columnX(s));
  };
}

function addTold(svg, told, l) {
  const group = add(svg, 'g', {class: 'told'}), r = clamp(0.14 * l.cell, 3, 5);
  for (const {target: t, source: s} of told)
    if (t < l.T && s < l.S)
      add(group, 'circle', {cx: l.columnX(s) + l.cell - 1.6 * r, cy: l.top + t * l.cell + 1.6 * r, r});
}

/* Labels that stay visible while the cells scroll in a box. pins are {box, heads, sides, corner}: two svgs and an
 * element beside the svg, which do not receive pointer events. */
function pinLabels(pins, l) {
  clear(pins.heads, l.width, l.top);
  const width = l.mirrored ? l.side - 1 : l.side; /* the last grid line stays visible */
  clear(pins.sides, width, l.height, l.mirrored ? l.right + 1 : 0);
  pins.corner.style.width = `${width}px`;
  pins.corner.style.height = `${l.top}px`;
  pins.box.classList.toggle('mirrored', l.mirrored);
}

/* Scrolls as little as possible. In a mirrored box scrollLeft is 0 at the right end and negative to the left. */
function revealCell(box, l, {target: t, source: s}) {
  const x = l.mirrored ? l.columnX(s) - l.width : l.columnX(s), y = l.top + t * l.cell;
  const across = l.mirrored ? [x + l.cell + l.side, x + box.clientWidth] : [x + l.cell - box.clientWidth, x - l.side];
  box.scrollTo(clamp(box.scrollLeft, ...across), clamp(box.scrollTop, y + l.cell - box.clientHeight, y - l.top));
}

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
  const across = l.mirrored && key.startsWith('Arrow') ? -step[1] : step[1];
  return {target: clamp(target + step[0], 0, l.T - 1), source: clamp(source + across, 0, l.S - 1)};
}

/* The selection at a point: a cell, a label, or neither. */
function selectionAt(l, x, y) {
  const lean = y < l.top && l.turn === 45 ? (l.mirrored ? 1 : -1) * (l.top - y) : 0; /* labels are slanted */
  const t = Math.floor((y - l.top) / l.cell), column = Math.floor((x + lean - l.left) / l.cell);
  const target = t >= 0 && t < l.T ? t : -1, source = column >= 0 && column < l.S ? l.place(column) : -1;
  const beside = l.mirrored ? x >= l.right : x < l.left;
  if ((target < 0 && y >= l.top) || (source < 0 && (!beside || y < l.top)))
    return null;
  return {target, source};
}

export function drawHeatmap(svg, matrix, options) {
  const l = layOut(svg, matrix, options), pins = options.pins;
  clear(svg, l.width, l.height);
  addCells(svg, matrix, options.scale, l);
  if (options.values)
    addValues(svg, matrix, options.scale, l);
  addTold(svg, options.told ?? [], l);
  const cross = addCross(svg, l);
  if (pins)
    pinLabels(pins, l);
  const heads = addHeads(pins?.heads ?? svg, l), sides = addSides(pins?.sides ?? svg, l);
  return {
    at(x, y) {
      const stillX = x - (pins?.box.scrollLeft ?? 0), stillY = y - (pins?.box.scrollTop ?? 0);
      const onSides = l.mirrored ? stillX >= l.right : stillX < l.left;
      return selectionAt(l, onSides ? stillX : x, stillY < l.top ? stillY : y);
    },
    mark(selection) {
      cross(selection ?? NOTHING);
      lightUp(heads, selection?.source ?? -1);
      lightUp(sides, selection?.target ?? -1);
    },
    move: (selection, key) => l.S && l.T ? moveInGrid(l, selection, key) : null,
    reveal: selection => pins && selection && revealCell(pins.box, l, selection),
  };
}
