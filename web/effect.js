/* How much each source word mattered: what a model loses if it is left out (/explain), as a table below the result. */
import {ask} from './server.js';
import {readable} from './tokens.js';

const WIDEST = 60; /* source words that a table can have */

const make = (name, attributes, ...children) => {
  const node = Object.assign(document.createElement(name), attributes);
  node.append(...children);
  return node;
};

function cell(lost, most) {
  const node = make('td', {textContent: lost === null ? '–' : lost.toFixed(1).replace(/^-(0.0)$/, '$1')});
  node.style.setProperty('--weight', lost > 0 ? (lost / most).toFixed(3) : 0);
  return node;
}

function tableOf({source, target, leave_one_out: lost}) {
  const most = Math.max(...lost.flat(), 1), words = readable(source).slice(0, WIDEST);
  const head = make('tr', {}, make('td'), ...words.map(word => make('th', {scope: 'col', dir: 'auto', textContent: word})));
  const rows = readable(target).map((word, t) => make('tr', {}, make('th', {scope: 'row', dir: 'auto', textContent: word}),
    ...lost[t].slice(0, WIDEST).map(value => cell(value, most))));
  return make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
}

function sentenceOf({kendall}) {
  const {mean} = kendall?.leave_one_out ?? {};
  const what = 'By how much the log-probability of a target word falls without a source word.';
  return mean === undefined || mean === null ? what : `${what} The attention ranks the source words like this with a ` +
    `correlation of ${mean.toFixed(2)} (Kendall's tau; 1: in the same order, 0: no relation).`;
}

/* details: the element. Returns a function to be called for each new result, with what to ask or with null; it asks only
 * while the element is open. */
export function effectOf(details) {
  const told = details.querySelector('p'), place = details.querySelector('.scroll');
  let question = null, asking = null;

  async function answer() {
    asking?.abort();
    place.replaceChildren();
    told.textContent = 'Leaving out one word after the other …';
    const {signal} = asking = new AbortController();
    try {
      const effect = await ask('explain', question, {signal});
      told.textContent = sentenceOf(effect);
      place.replaceChildren(tableOf(effect));
    } catch (error) {
      if (!signal.aborted)
        told.textContent = error.message;
    }
  }

  details.addEventListener('toggle', () => details.open && question && answer());
  return asked => {
    const same = JSON.stringify(asked) === JSON.stringify(question);
    question = asked;
    details.hidden = !question;
    if (question && details.open && !same)
      answer();
    else if (!question)
      asking?.abort();
  };
}
