/* The tasks of the playground: pairs of texts, all made from a seed, so that the same settings give the same pairs. */

/* A function that returns whole numbers from 0 to bound - 1, equally likely: a hash of a counter. */
export function randomOf(seed) {
  let counter = seed | 0;
  return bound => {
    counter = counter + 0x9e3779b9 | 0;
    let z = counter ^ counter >>> 16;
    z = Math.imul(z, 0x21f0aaad);
    z = Math.imul(z ^ z >>> 15, 0x735a2d97);
    return ((z ^ z >>> 15) >>> 0) % bound;
  };
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/* Digits for up to ten symbols, letters for more. */
export const symbolsOf = count => count <= 10 ? [...'0123456789'].slice(0, count) : LETTERS.slice(0, count);

/* ---- Sequences of symbols: `answer` gives the target, `from` the right source places of each target word ---- */

const sequence = (answer, from) => ({
  sized: true,
  answer: (text, settings) => answer(wordsOf(text), settings).join(' '),
  pair(random, settings) {
    const symbols = symbolsOf(settings.symbols);
    const length = settings.from + random(settings.to - settings.from + 1);
    const source = Array.from({length}, () => symbols[random(symbols.length)]), target = answer(source, settings);
    return {source: source.join(' '), target: target.join(' '), from: target.map((word, t) => from(source, t, word))};
  },
});

export const wordsOf = text => text.split(' ').filter(Boolean);

function shifted(word, {symbols, shift}) {
  const all = symbolsOf(symbols), at = all.indexOf(word);
  return at < 0 ? word : all[(at + shift) % all.length];
}

const placesOf = (words, word) => words.flatMap((one, j) => one === word ? [j] : []);

/* ---- Texts made of parts, read and written letter by letter ---- */

/* Parts are [text, name]; a target's name says which parts of the source it comes from. */
function spelled(source, target) {
  const letters = parts => parts.flatMap(([text, name]) => [...text].map(() => name));
  const names = letters(source), text = parts => parts.map(([part]) => part).join('');
  return {source: text(source), target: text(target),
    from: letters(target).map(name => name ? placesOf(names, name) : [])};
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october',
  'november', 'december'];
const MANNERS = [
  (day, month, year) => [[day, 'd'], [' ', ''], [month, 'm'], [' ', ''], [year, 'y']],
  (day, month, year) => [[month, 'm'], [' ', ''], [day, 'd'], [', ', ''], [year, 'y']],
  (day, month, year) => [[day, 'd'], ['. ', ''], [month.slice(0, 3), 'm'], [' ', ''], [year, 'y']],
  (day, month, year) => [[month.slice(0, 3), 'm'], [' ', ''], [day, 'd'], [' ', ''], [year, 'y']],
];
const two = number => String(number).padStart(2, '0');

function datePair(random) {
  const year = String(1900 + random(150)), month = random(12), day = 1 + random(28);
  const target = [[year, 'y'], ['-', ''], [two(month + 1), 'm'], ['-', ''], [two(day), 'd']];
  return spelled(MANNERS[random(MANNERS.length)](String(day), MONTHS[month], year), target);
}

/* Made-up words in regular English spelling, and how one would say them, in the symbols of the CMU dictionary. A vowel is
 * long if a silent e follows: `rate` is R EY T, and `rat` R AE T. */
const ONSETS = {b: 'B', c: 'K', d: 'D', f: 'F', g: 'G', h: 'HH', j: 'JH', l: 'L', m: 'M', n: 'N', p: 'P', r: 'R', s: 'S',
  t: 'T', v: 'V', w: 'W', ch: 'CH', sh: 'SH', th: 'TH', ph: 'F', wh: 'W', qu: 'K W', kn: 'N', wr: 'R', bl: 'B L',
  br: 'B R', cl: 'K L', cr: 'K R', dr: 'D R', fl: 'F L', gr: 'G R', pl: 'P L', st: 'S T', tr: 'T R', sch: 'S K'};
const SHORT = {a: 'AE', e: 'EH', i: 'IH', o: 'AA', u: 'AH'}, LONG = {a: 'EY', i: 'AY', o: 'OW', u: 'UW'};
const PAIRS = {ee: 'IY', ea: 'IY', oa: 'OW', ai: 'EY', oo: 'UW', ou: 'AW', oi: 'OY', ar: 'AA R', or: 'AO R', ur: 'ER'};
const CODAS = {b: 'B', d: 'D', g: 'G', ck: 'K', l: 'L', m: 'M', n: 'N', p: 'P', t: 'T', sh: 'SH', th: 'TH', tch: 'CH',
  nk: 'NG K', ng: 'NG', st: 'S T', nd: 'N D', mp: 'M P'};
const CLOSERS = {d: 'D', k: 'K', l: 'L', m: 'M', n: 'N', p: 'P', t: 'T', v: 'V', z: 'Z'};

const oneOf = (random, table) => {
  const all = Object.entries(table);
  return all[random(all.length)];
};

/* A syllable as [spelling, sounds] pieces: onset, vowel, coda; a silent e belongs to its vowel. */
function syllable(random, last) {
  const onset = oneOf(random, ONSETS), kind = random(3);
  if (kind === 0 && last) {
    const vowel = oneOf(random, LONG);
    return {parts: [onset, vowel, oneOf(random, CLOSERS)], silent: 1};
  }
  return {parts: [onset, oneOf(random, kind === 1 ? PAIRS : SHORT), oneOf(random, CODAS)], silent: -1};
}

function wordPair(random) {
  const spelling = [], sounds = [], count = 1 + random(2);
  for (let k = 0; k < count; k++) {
    const {parts, silent} = syllable(random, k + 1 === count);
    parts.forEach(([text, sound], i) => {
      spelling.push([text, `${k}.${i}`]);
      sounds.push(...wordsOf(sound).map(one => [one, `${k}.${i}`]));
    });
    if (silent >= 0)
      spelling.push(['e', `${k}.${silent}`]);
  }
  const names = spelling.flatMap(([text, name]) => [...text].map(() => name));
  return {source: spelling.map(([text]) => text).join(''), target: sounds.map(([sound]) => sound).join(' '),
    from: sounds.map(([, name]) => placesOf(names, name))};
}

/* ---- Pairs from elsewhere ---- */

/* Sure and possible links, "0-0 1p2", as the places of each target word. */
function fromLinks(links, count) {
  const from = Array.from({length: count}, () => []);
  for (const [, s, t] of links.matchAll(/(\d+)[-p](\d+)/g))
    from[t].push(Number(s));
  return from;
}

const linked = ([source, target, links]) => ({source, target, from: fromLinks(links, wordsOf(target).length)});

/* As many words as training takes on a side. */
export const LONGEST = 100;

/* Not text: control characters except tabs and line ends, halves of surrogate pairs, byte order marks. */
const NO_TEXT = /(?![\t\r\n])\p{Cc}|\p{Cs}|\uFEFF/gu;

/* Lines of source, tab, target; others, and those that are too long, are left out. */
export function readTable(text) {
  const rows = text.normalize('NFC').replace(NO_TEXT, ' ').split(/\r?\n/).map(line => line.split('\t').map(part => part.trim()));
  const fits = side => side && wordsOf(side).length <= LONGEST;
  return rows.filter(([source, target]) => fits(source) && fits(target)).map(([source, target]) => ({source, target, from: null}));
}

/* To add a task: a row. `pair` makes one pair from a random function and the settings, or `pairs` makes all at once;
 * `usual` has settings other than the form's own; `sized` tasks have symbols and lengths; `probes` are the sentences that
 * are shown, or `known` with their targets; `answer` is the right target of any sentence; `tokens` are the tokenizers of
 * source and target. */
export const TASKS = {
  reverse: {
    name: 'Reverse', about: 'Write a row of symbols backward.',
    ...sequence(words => [...words].reverse(), (source, t) => [source.length - 1 - t]),
    probes: ['3 1 4 1 5 9 2 6', '2 7 1 8 2', '0 1 2 3 4 5 6 7 8 9'],
  },
  sort: {
    name: 'Sort', about: 'Write the symbols in order.',
    ...sequence(words => [...words].sort(), (source, t, word) => placesOf(source, word)),
    probes: ['3 1 4 1 5 9 2 6', '2 7 1 8 2', '9 8 7 6 5 4 3 2 1 0'],
  },
  shift: {
    name: 'Copy with a shift', about: 'Replace every symbol by a later one of the alphabet.',
    ...sequence((words, settings) => words.map(word => shifted(word, settings)), (source, t) => [t]),
    usual: {symbols: 26, shift: 1},
    probes: ['h e l l o', 'a t t e n d', 'e v e r y t h i n g m o v e s'],
  },
  dates: {
    name: 'Dates', about: 'Read a date as people write it, write it as 1987-03-05.', tokens: ['char', 'char'],
    pair: datePair, usual: {pairs: 6000},
    known: {'5 march 1987': '1987-03-05', 'october 28, 2014': '2014-10-28', '9. sep 1962': '1962-09-09'},
  },
  hindi: {
    name: 'Hindi to English', about: 'Romanized Hindi from the grammar of the demo; the verb stands last.',
    pairs: (engine, settings, count) => engine.grammarPairs(settings.seed, count).map(linked),
    usual: {pairs: 8000, emb: 48, hidden: 96, lr: 0.004, batch: 400, updates: 1000},
    known: {'mai ghar ja raha hoon': 'I am going home',
      'kya tum kal shahar aaoge ?': 'will you come to the city tomorrow ?',
      'sita subah mohan ko bada phool nahi degi': 'Sita will not give a big flower to Mohan in the morning'},
  },
  pronounce: {
    name: 'Pronounce', about: 'Made-up words in regular English spelling, and how to say them.', tokens: ['char', 'word'],
    pair: wordPair, usual: {pairs: 8000, hidden: 64},
    known: {shine: 'SH AY N', phonshock: 'F AA N SH AA K', quintrate: 'K W IH N T R EY T'},
  },
  own: {
    name: 'Your own pairs', about: 'Paste lines: source, tab, target. They stay on this page.', own: true,
    pairs: (engine, settings) => readTable(settings.table),
  },
};

/* ---- Data of a run ---- */

const shownOf = ({probes, known}) => probes ?? Object.keys(known ?? {});

const TEST = 120, TEST_GROUPS = 6;

/* The lengths of a sized task in up to six groups: [[from, to]]. */
export function lengthGroups({from, to}) {
  const count = Math.min(to - from + 1, TEST_GROUPS), edge = g => from + Math.floor(g * (to - from + 1) / count);
  return Array.from({length: count}, (_, g) => [edge(g), edge(g + 1) - 1]);
}

/* Different sources that are not in `known`; as many as there are, after enough tries. */
function draw(task, settings, random, count, known) {
  const pairs = [];
  for (let tries = 0; pairs.length < count && tries < 20 * count; tries++) {
    const pair = task.pair(random, settings);
    if (known.has(pair.source))
      continue;
    known.add(pair.source);
    pairs.push(pair);
  }
  return pairs;
}

/* Test pairs of every length, but at most a quarter of all that a length has. */
function drawTest(task, settings, random, known) {
  if (!task.sized)
    return draw(task, settings, random, TEST, known);
  const groups = lengthGroups(settings);
  return groups.flatMap(([from, to]) => {
    const room = Math.floor(settings.symbols ** to / 4);
    return draw(task, {...settings, from, to}, random, Math.min(Math.round(TEST / groups.length), room), known);
  });
}

function shuffled(list, random) {
  const all = [...list];
  for (let i = all.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all;
}

/* {train, test}: pairs {source, target, from}, no test source in training. Training pairs may repeat if the task is
 * small. `engine` samples the grammar. */
export function makeData(settings, engine) {
  const task = TASKS[settings.task], random = randomOf(settings.seed);
  const shown = shownOf(task), known = new Set(shown);
  if (task.pair) {
    const test = drawTest(task, settings, random, known), train = [];
    const sources = new Set(test.map(({source}) => source));
    for (let tries = 0; train.length < settings.pairs && tries < 20 * settings.pairs; tries++) {
      const pair = task.pair(random, settings);
      if (!sources.has(pair.source) && !shown.includes(pair.source))
        train.push(pair);
    }
    return {train, test};
  }
  const all = shuffled(task.pairs(engine, settings, settings.pairs + 2 * TEST), random);
  const different = all.filter(({source}) => task.own || !known.has(source) && known.add(source));
  const count = Math.min(TEST, Math.floor(different.length / 5));
  return {test: different.slice(0, count), train: different.slice(count, count + settings.pairs)};
}

/* The sentences to show at first, with their right answers where these are known. */
export function probesOf(settings, test) {
  const task = TASKS[settings.task];
  const symbols = new Set(task.sized ? symbolsOf(settings.symbols) : []);
  const own = shownOf(task).filter(source => !task.sized || wordsOf(source).every(word => symbols.has(word)));
  const texts = own.length ? own : test.slice(0, 3).map(({source}) => source);
  return texts.map(source => ({source, target: targetOf(settings, source, test)}));
}

/* The right answer to a sentence; null if nobody knows. */
export function targetOf(settings, source, test = []) {
  const task = TASKS[settings.task];
  return task.answer?.(source, settings) ?? task.known?.[source] ??
    test.find(pair => pair.source === source)?.target ?? null;
}
