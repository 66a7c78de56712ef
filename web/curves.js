/* The pictures of a run, drawn into an <svg>: curves over updates, accuracy by length, bars, strips of numbers. Pure
 * functions; `add` and `clear` are those of attention.js. */
import {add, clamp, clear, colorOf} from './attention.js';

const LEFT = 38, RIGHT = 10, TOP = 8, BOTTOM = 20, TICK = 11;

const path = points => points.map(([x, y], i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/* Round numbers that divide 0 to `most` into a few parts. */
export function ticksTo(most, parts = 4) {
  const rough = Math.max(most, 1e-9) / parts, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(one => one * power >= rough) * power;
  return Array.from({length: Math.floor(most / step + 1e-9) + 1}, (_, i) => i * step);
}

/* At most so many points, the mean of each run of neighbors. */
export function thinned(points, most) {
  const size = Math.ceil(points.length / most);
  if (size < 2)
    return points;
  return Array.from({length: Math.ceil(points.length / size)}, (_, i) => {
    const some = points.slice(i * size, (i + 1) * size);
    return [0, 1].map(k => some.reduce((sum, point) => sum + point[k], 0) / some.length);
  });
}

function addAxes(svg, {width, height, most, top, percent}) {
  const across = x => LEFT + (width - LEFT - RIGHT) * x / most;
  const up = y => height - BOTTOM - (height - TOP - BOTTOM) * y / top;
  const axes = add(svg, 'g', {class: 'axes', 'font-size': TICK});
  for (const tick of percent ? [0, 0.5, 1] : ticksTo(top, 3)) {
    add(axes, 'path', {d: `M${LEFT} ${up(tick).toFixed(1)}H${width - RIGHT}`});
    add(axes, 'text', {x: LEFT - 6, y: up(tick) + 4, 'text-anchor': 'end'},
      percent ? `${100 * tick}%` : String(Number(tick.toPrecision(2))));
  }
  return {axes, across, up};
}

/* lines: [{points: [[update, value]], kind: 'a' or 'b', faint}]; cursor: the update that is shown, or null. */
export function drawCurves(svg, lines, {width, height, most, percent, cursor, ticks = true}) {
  const values = lines.flatMap(({points}) => points.map(([, value]) => value)).filter(Number.isFinite);
  const top = percent ? 1 : Math.max(1, ...values) * 1.02;
  clear(svg, width, height);
  const {axes, across, up} = addAxes(svg, {width, height, most: Math.max(most, 1), top, percent});
  for (const tick of ticks ? ticksTo(most, 4) : [])
    add(axes, 'text', {x: across(tick), y: height - 5, 'text-anchor': 'middle'}, String(tick));
  for (const {points, kind, faint} of lines) {
    const places = thinned(points, width).map(([x, y]) => [across(x), up(clamp(y, 0, top))]);
    if (places.length)
      add(svg, 'path', {class: `curve ${kind}${faint ? ' faint' : ''}`, d: path(places)});
    if (places.length && !faint)
      add(svg, 'circle', {class: `dot ${kind}`, cx: places.at(-1)[0], cy: places.at(-1)[1], r: 3});
  }
  if (cursor !== null)
    add(svg, 'path', {class: 'cursor', d: `M${across(cursor).toFixed(1)} ${TOP}V${height - BOTTOM}`});
}

/* runs: [{kind, groups: [{from, to, right, of}]}]: bars side by side for every group of lengths. */
export function drawLengths(svg, runs, {width, height}) {
  clear(svg, width, height);
  const groups = runs[0]?.groups ?? [], most = Math.max(groups.length, 1);
  const {axes, across, up} = addAxes(svg, {width, height, most, top: 1, percent: true});
  groups.forEach(({from, to}, g) => {
    const middle = (across(g) + across(g + 1)) / 2, bar = Math.min(0.76 * (across(1) - across(0)) / runs.length, 26);
    add(axes, 'text', {x: middle, y: height - 5, 'text-anchor': 'middle'}, from === to ? from : `${from}-${to}`);
    runs.forEach(({kind, groups: own}, r) => {
      const one = own[g];
      if (!one?.of)
        return;
      const height = Math.max(up(0) - up(one.right / one.of), 1.5), x = middle + (r - runs.length / 2) * bar;
      add(svg, 'rect', {class: `bar ${kind}`, x: x + 1, y: up(0) - height, width: bar - 2, height, rx: 1.5});
    });
  });
}

/* Numbers from -1 to 1, or 0 to 1, as a row of colored cells. `scale` is that of the heatmap, for absolute values. */
export function drawStrip(svg, values, {width, height, scale}) {
  clear(svg, width, height);
  const cell = width / values.length, group = add(svg, 'g', {'shape-rendering': 'crispEdges'});
  values.forEach((value, i) =>
    add(group, 'rect', {x: i * cell, y: 0, width: cell, height, fill: colorOf(scale, Math.abs(value))}));
}

/* A few numbers as a line, with a dot at one of them. */
export function drawSpark(svg, values, {width, height, at}) {
  clear(svg, width, height);
  const top = Math.max(...values, 1e-9), x = i => 5 + (width - 10) * (values.length > 1 ? i / (values.length - 1) : 0.5);
  const y = value => height - 5 - (height - 10) * value / top;
  add(svg, 'path', {class: 'curve a', d: path(values.map((value, i) => [x(i), y(value)]))});
  if (at >= 0 && at < values.length)
    add(svg, 'circle', {class: 'dot a', cx: x(at), cy: y(values[at]), r: 4});
}
