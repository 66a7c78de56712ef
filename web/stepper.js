/* One step of the decoder, opened: what it writes, scores and weights, norms, gates. And the same numbers by name, for
 * the guided tour. */
import {isolated} from './attention.js';
import {drawSpark, drawStrip} from './curves.js';
import {make} from './dom.js';

export const number = (value, digits = 2) => value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits);
export const percent = value => value === null || !Number.isFinite(value) ? '–' : `${Math.round(100 * value)} %`;
const word = text => make('bdi', {textContent: text});

/* Bars beside words: rows of {name, value, share (0 to 1), text}. Negative shares go to the left of the middle. */
export function fillBars(parent, rows, lit = -1) {
  const signed = rows.some(({share}) => share < 0);
  parent.replaceChildren(...rows.map(({name, share, text}, i) => {
    const bar = make('i', {className: share < 0 ? 'minus' : ''});
    const track = make('span', {className: `track${signed ? ' signed' : ''}`}, bar);
    bar.style.width = `${Math.min(Math.abs(share), 1) * (signed ? 50 : 100)}%`;
    return make('div', {className: `bar-row${i === lit ? ' lit' : ''}`}, make('span', {className: 'name'}, word(name)),
      track, make('span', {className: 'value', textContent: text}));
  }));
}

const finite = list => list.filter(Number.isFinite);
const mean = list => list.reduce((sum, x) => sum + x, 0) / list.length;

/* Scores as bars: the largest has a full one. */
export function scoreRows(probe, step) {
  const scores = step.scores ?? [], most = Math.max(1e-9, ...finite(scores).map(Math.abs));
  return scores.map((score, j) =>
    ({name: probe.words[j], share: Number.isFinite(score) ? score / most : 0, text: number(score)}));
}

export const likelyRows = step =>
  step.likeliest.map(({word: name, probability}) => ({name, share: probability, text: number(probability)}));

export const weightRows = (probe, step) =>
  (step.weights ?? []).map((weight, j) => ({name: probe.words[j], share: weight, text: number(weight)}));

/* The places of the largest and the second largest number. */
export function twoBest(list) {
  const order = [...list.keys()].sort((i, j) => list[j] - list[i]);
  return [order[0] ?? -1, order[1] ?? -1];
}

function fillScores(table, probe, step) {
  const {scores, weights} = step, best = weights ? twoBest(weights)[0] : -1;
  table.tBodies[0].replaceChildren(...(weights ?? []).map((weight, j) => {
    const bar = make('i', {});
    bar.style.width = `${100 * weight}%`;
    return make('tr', {className: j === best ? 'lit' : ''}, make('td', {}, word(probe.words[j])),
      make('td', {textContent: scores ? number(scores[j]) : '–'}),
      make('td', {}, make('span', {className: 'track'}, bar), number(weight)));
  }));
}

function fillGates(parent, gates, scale, width) {
  parent.replaceChildren(...Object.entries(gates ?? {}).map(([name, values]) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${name}: ${values.length} numbers with the mean ${number(mean(values))}`);
    drawStrip(svg, values, {width, height: 14, scale});
    return make('div', {className: 'gate'},
      make('span', {}, name, make('b', {textContent: number(mean(values))})), svg);
  }));
  if (!gates)
    parent.textContent = 'This cell has no gates.';
}

/* parts: {title, says, likeliest, scores, norms, line, gates}. */
export function showStep(parts, probe, t, scale) {
  const step = probe.steps[t];
  parts.title.textContent = `Step ${t + 1} of ${probe.steps.length}`;
  parts.says.replaceChildren('After ', word(isolated(step.previous)), ', it gives ',
    make('b', {}, word(isolated(step.word))), ` the probability ${number(step.probability, 3)}`);
  fillBars(parts.likeliest, likelyRows(step), step.likeliest.findIndex(({word: one}) => one === step.word));
  fillScores(parts.scores, probe, step);
  const lengths = [['|s|', step.state_norm], ['|q|', step.query_norm], ['|c|', step.context_norm]];
  parts.norms.replaceChildren(...lengths.filter(([, value]) => value !== null)
    .map(([name, value]) => make('span', {}, name, make('b', {textContent: number(value)}))));
  const norms = probe.steps.map(one => one.state_norm);
  parts.line.setAttribute('aria-label', `Lengths of the state, step by step: ${norms.map(one => number(one, 1)).join(', ')}`);
  drawSpark(parts.line, norms, {width: parts.line.parentElement.clientWidth || 240, height: 44, at: t});
  fillGates(parts.gates, step.gates, scale, parts.line.parentElement.clientWidth || 240);
}
