/* Where the words or pieces of an answer stand in a text, and which pieces make up a word. */

export const END = '</s>';
const bare = token => token.replace(/[\u2581\s]/gu, '');

/* Pieces as people read them: a blank is seen; where most begin with the sign of one it goes, and a hyphen is before the
 * others. */
export function readable(pieces) {
  const tokens = pieces.map(piece => /^[\u2581 ]+$/u.test(piece) ? '\u2423' : piece);
  const starts = tokens.filter(token => /^[\u2581 ]./u.test(token)).length;
  if (2 * starts < tokens.length - 1)
    return tokens;
  return tokens.map((token, i) => /^[\u2581 ]./u.test(token) ? token.slice(1)
    : i && token !== END && /^[\p{L}\p{M}\p{N}]/u.test(token) ? `\u2010${token}` : token);
}

/* Each token's [from, to) in the text; null for </s>, for blanks, and for what is not there, such as <unk>. */
export function locate(tokens, text) {
  const lower = text.toLowerCase(), folded = lower.length === text.length ? lower : text;
  let at = 0, lost = false;
  return tokens.map(token => {
    const plain = token.replaceAll('\u2581', ' ').trim(), same = folded === text ? plain : plain.toLowerCase();
    const found = plain && token !== END ? folded.indexOf(same, at) : -1;
    if (found < 0 || (!lost && folded.slice(at, found).trim())) {
      lost ||= plain !== '' && token !== END;
      return null;
    }
    lost = false;
    at = found + same.length;
    return [found, at];
  });
}

/* For each word the indices of its pieces; null where they do not spell it. */
export function piecesOf(words, pieces) {
  const groups = [];
  let p = 0;
  for (const word of words) {
    const group = [];
    for (let spelt = ''; p < pieces.length && spelt !== bare(word); p++) {
      spelt += bare(pieces[p]);
      group.push(p);
    }
    if (group.map(i => bare(pieces[i])).join('') !== bare(word))
      return null;
    groups.push(group);
  }
  return groups;
}

/* Text into an element, with a span for each token that stands in it; returns the spans, null where there is none. */
export function spell(element, text, tokens) {
  const spans = [], places = locate(tokens, text);
  let at = 0;
  element.replaceChildren();
  for (const place of places) {
    if (!place) {
      spans.push(null);
      continue;
    }
    const span = document.createElement('span');
    span.textContent = text.slice(...place);
    element.append(text.slice(at, place[0]), span);
    at = place[1];
    spans.push(span);
  }
  element.append(text.slice(at));
  return spans;
}
