/* The vocabulary of a small model: both sides, with a filter. A click on a source word adds it to the sentence. */
import {ask} from './server.js';
import {START, matching} from './tokens.js';

const SMALL = 5000;      /* tokens of a side that the server lists */
const SHOWN_MOST = 500; /* tokens in the document; the filter finds the others */

export const isSmall = model => (model?.reads ?? 'text') === 'text' && model?.writes !== 'ink' &&
  Math.min(model?.source_tokens ?? Infinity, model?.target_tokens ?? Infinity) <= SMALL;

const number = new Intl.NumberFormat('en');

/* A token as people read it: pieces that start a word lose the sign of a blank, others get a hyphen. */
function readableToken(token, pieces) {
  if (!pieces)
    return token === ' ' ? '\u2423' : token;
  return token.startsWith(START) ? token.slice(1) || '\u2423' : `\u2010${token}`;
}

function item(token, pieces, add) {
  const node = document.createElement(add ? 'button' : 'span');
  node.textContent = readableToken(token, pieces);
  node.dir = 'auto';
  if (add) {
    node.type = 'button';
    node.onclick = () => add(token, pieces);
  }
  const place = document.createElement('li');
  place.append(node);
  return place;
}

function fillSide(root, side, filter, add) {
  root.hidden = !side.tokens;
  if (!side.tokens)
    return 0;
  const pieces = side.tokens.some(token => token.startsWith(START)), found = matching(side.tokens, filter);
  root.querySelector('ul').replaceChildren(...found.slice(0, SHOWN_MOST).map(token => item(token, pieces, add)));
  root.querySelector('.count').textContent = filter.trim()
    ? `${number.format(found.length)} of ${number.format(side.size)}` : number.format(side.size);
  const rest = found.length - SHOWN_MOST;
  root.querySelector('.rest').textContent = rest > 0 ? `and ${number.format(rest)} more: filter to see them` : '';
  return found.length;
}

/* root: the <details>; add(token, pieces) is called for a click on a source token. Returns show(model, names), which
 * offers the vocabulary of a model; names are those of the two sides. */
export function vocabularyList(root, add) {
  const filter = root.querySelector('input'), note = root.querySelector('.note');
  const [source, target] = root.querySelectorAll('.side');
  let model = null, answer = null;

  function fill() {
    if (!answer)
      return;
    const found = fillSide(source, answer.source, filter.value, add) + fillSide(target, answer.target, filter.value, null);
    note.textContent = found ? '' : `The model does not know \u201c${filter.value.trim()}\u201d`;
  }

  async function load() {
    if (answer || !model || !root.open)
      return;
    const wanted = model;
    note.textContent = 'Loading';
    try {
      const got = await ask('vocabulary', {model: wanted.name});
      if (wanted !== model)
        return;
      answer = got;
      fill();
    } catch (error) {
      note.textContent = error.message;
    }
  }

  root.addEventListener('toggle', load);
  filter.addEventListener('input', fill);
  filter.addEventListener('keydown', event => {
    if (event.key === 'Escape') {
      filter.value = '';
      fill();
    }
  });
  return (next, names) => {
    root.hidden = !isSmall(next);
    [source, target].forEach((side, i) => { side.querySelector('.name').textContent = names[i]; });
    if (next === model)
      return;
    model = next;
    answer = null;
    filter.value = '';
    load();
  };
}
