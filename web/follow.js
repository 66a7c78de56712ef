/* Pointer and keyboard input on the pictures of attention.js, and the description of a selection. */
import {written} from './attention.js';

const STILL = 4; /* pixels that the pointer may move during a click */

/* Follow pointer and keys. Calls choose(selection or null) and, if given, tell({target, source}) for a cell that is
 * clicked or entered and for a line that is dragged from word to word. A finger cannot click, but can drag words. A view
 * with hold() is told what else is clicked or tapped.
 * `before` is the selection of an earlier picture. Returns a function that stops. */
export function follow(svg, view, choose, {tell, before = null} = {}) {
  const stop = new AbortController(), on = (name, act) => svg.addEventListener(name, act, {signal: stop.signal});
  let chosen = null, taken = null, start = null;
  const set = selection => {
    if (chosen?.target === selection?.target && chosen?.source === selection?.source)
      return;
    chosen = selection;
    view.mark(selection);
    choose(selection);
  };
  const place = event => {
    const frame = svg.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const drop = selection => {
    const from = taken;
    taken = null;
    view.pull?.(null);
    if (from && selection && (from.target < 0) !== (selection.target < 0))
      tell({target: Math.max(from.target, selection.target), source: Math.max(from.source, selection.source)});
  };
  const press = event => {
    if (!isCell(chosen))
      view.hold?.(chosen);
    else if (tell && event.pointerType !== 'touch')
      tell(chosen);
  };
  on('pointermove', event => {
    if (taken && start)
      view.pull(taken, ...place(event));
    else
      set(view.at(...place(event)));
  });
  on('pointerdown', event => {
    start = [event.clientX, event.clientY];
    taken = tell && view.grab ? view.grab(...place(event)) : null;
    set(taken ?? view.at(...place(event)));
    if (taken)
      svg.setPointerCapture(event.pointerId);
  });
  on('pointerup', event => {
    const still = start && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < STILL;
    start = null;
    if (taken)
      drop(view.at(...place(event)));
    else if (still && event.button === 0)
      press(event);
  });
  on('pointercancel', () => drop(start = null));
  on('pointerleave', event => event.pointerType === 'touch' || taken || set(null));
  on('blur', () => {
    drop(null);
    view.hold?.(null);
    set(null);
  });
  on('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey)
      return;
    const enter = event.key === 'Enter' || event.key === ' ', next = view.move(chosen, event.key);
    if (enter && tell && chosen && view.grab && !taken)
      taken = chosen;
    else if (enter && taken)
      drop(chosen);
    else if (enter && tell && isCell(chosen))
      tell(chosen);
    else if (event.key === 'Escape' && (chosen || taken || view.holds?.())) {
      drop(null);
      view.hold?.(null);
      set(null);
    } else if (next) {
      set(next);
      view.reveal?.(next);
    } else
      return;
    event.preventDefault();
    event.stopPropagation();
  });
  set(before);
  return () => stop.abort();
}

const isCell = selection => selection?.target >= 0 && selection?.source >= 0;

/* A selection in words: {word, isTarget, others: [{word, weight}]}. A cell has one other word; a word has up to `most`,
 * those with the largest weights. */
export function describe(matrix, {target, source}, most = 3) {
  const word = target >= 0 ? matrix.target[target] : matrix.source[source];
  let others;
  if (target >= 0 && source >= 0)
    others = [{word: matrix.source[source], weight: matrix.weight[target][source]}];
  else if (target >= 0)
    others = matrix.source.map((name, s) => ({word: name, weight: matrix.weight[target][s]}));
  else
    others = matrix.target.map((name, t) => ({word: name, weight: matrix.weight[t][source]}));
  others.sort((a, b) => (b.weight ?? -Infinity) - (a.weight ?? -Infinity));
  return {word, isTarget: target >= 0, others: others.slice(0, most)};
}

/* The same, written into an element: the word, an arrow, and the others with their weights. */
export function say(readout, matrix, selection) {
  readout.replaceChildren();
  if (!selection)
    return;
  const part = (name, text, attributes = {}) =>
    Object.assign(document.createElement(name), {textContent: text, ...attributes});
  const {word, isTarget, others} = describe(matrix, selection);
  const first = part('b', '');
  first.append(part('bdi', word));
  readout.append(first, ' ', part('span', isTarget ? '←' : '→', {className: 'arrow'}), ' ');
  for (const other of others) {
    const pair = part('span', '', {className: 'other'});
    pair.append(part('bdi', other.word), ' ', part('data', written(other.weight), {value: other.weight ?? ''}));
    readout.append(pair, ' ');
  }
}
