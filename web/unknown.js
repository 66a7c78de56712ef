/* Marks what a model does not know in the text field: a copy of the text under it has the marks. */

/* The text as it is sent, on one line without blanks at its ends, and where each of its code points is in the text (in
 * UTF-16 units; one more entry for the end). A tab separates features, so it stays. */
export function collapse(text) {
  const points = [], places = [];
  let at = 0, blank = false;
  for (const point of text) {
    if (/\s/u.test(point) && point !== '\t')
      blank = blank || points.length > 0;
    else {
      if (blank && points.at(-1) !== '\t' && point !== '\t') {
        points.push(' ');
        places.push(at - 1);
      }
      blank = false;
      points.push(point);
      places.push(at);
    }
    at += point.length;
  }
  while (points.at(-1) === '\t') {
    points.pop();
    places.pop();
  }
  places.push(places.length ? places.at(-1) + points.at(-1).length : 0);
  return {sentence: points.join(''), places};
}

/* [{from, to, text}] in the text, from the `unknown` of a reply, whose offsets count code points of the sentence. What
 * does not fit the text is left out. */
export function findUnknown(text, unknown = []) {
  const {places} = collapse(text), found = [];
  for (const {start, end} of [...unknown].sort((a, b) => a.start - b.start)) {
    const from = places[start], last = places[end - 1], next = places[end];
    if (from === undefined || last === undefined || next === undefined || end <= start || from < (found.at(-1)?.to ?? 0))
      continue;
    const to = last + (text.codePointAt(last) > 0xffff ? 2 : 1);
    found.push({from, to, text: text.slice(from, to)});
  }
  return found;
}

/* The marks that still hold after an edit: those before the first change, and as many from the end. */
export function keepUnknown(marks, before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0, end = 0;
  while (start < most && before[start] === after[start])
    start++;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end))
    end++;
  const shift = after.length - before.length, rest = before.length - end;
  return marks.filter(({from, to}) => to < start || from > rest)
    .map(mark => mark.to < start ? mark : {...mark, from: mark.from + shift, to: mark.to + shift});
}

/* Write the text into a layer, with its marks. */
export function paintUnknown(layer, text, marks) {
  let at = 0;
  layer.replaceChildren();
  for (const {from, to} of marks) {
    const mark = document.createElement('span');
    mark.textContent = text.slice(from, to);
    layer.append(text.slice(at, from), mark);
    at = to;
  }
  layer.append(text.slice(at), '\u200b');
}

/* The different unknown words, in order. */
export const wordsOf = marks => [...new Set(marks.map(({text}) => text))];
