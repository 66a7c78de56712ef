/* Finds the words or pieces of a reply in a text, and the pieces of each word. */

export const END = '</s>';
export const START = '\u2581'; /* how SentencePiece writes the blank before a word */
const bare = token => token.replace(/[\u2581\s]/gu, '');

/* Pieces in a form that people can read. A blank becomes visible. If most pieces start with the sign of a blank, the
 * sign is removed and the other pieces get a hyphen in front. */
export function readable(pieces) {
  const tokens = pieces.map(piece => /^[\u2581 ]+$/u.test(piece) ? '\u2423' : piece);
  const starts = tokens.filter(token => /^[\u2581 ]./u.test(token)).length;
  if (2 * starts < tokens.length - 1)
    return tokens;
  return tokens.map((token, i) => /^[\u2581 ]./u.test(token) ? token.slice(1)
    : i && token !== END && /^[\p{L}\p{M}\p{N}]/u.test(token) ? `\u2010${token}` : token);
}

/* The [from, to) of each token in the text; null for </s>, for blanks, and for tokens that are not there, such as
 * <unk>. */
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

/* The indices of the pieces of each word; null where they do not spell it. */
export function piecesOf(words, pieces) {
  const groups = [];
  let p = 0;
  for (const word of words) {
    const group = [];
    for (let spelled = ''; p < pieces.length && spelled !== bare(word); p++) {
      spelled += bare(pieces[p]);
      group.push(p);
    }
    if (group.map(i => bare(pieces[i])).join('') !== bare(word))
      return null;
    groups.push(group);
  }
  return groups;
}

/* Write text into an element, with a span for each token found in it; returns the spans, null where there is none. */
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

/* Tokens that contain the words of the filter, those that begin with it first. */
export function matching(tokens, filter) {
  const wanted = filter.trim().toLowerCase();
  if (!wanted)
    return tokens;
  const plain = token => token.replace(START, '').toLowerCase();
  const begins = token => plain(token).startsWith(wanted);
  const found = tokens.filter(token => plain(token).includes(wanted));
  return [...found.filter(begins), ...found.filter(token => !begins(token))];
}
