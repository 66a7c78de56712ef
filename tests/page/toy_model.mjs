/* A deterministic toy that translates, attends and can be told where to look: word by word, or as its phrase book says. */

/* Target words, each with the source word it comes from; "old@2". */
const book = {
  'मैं अपने पुराने घर जा रहा हूँ ।': 'I@0 am@6 going@4 to@3 my@1 old@2 house@3 .@7',
  'I am going to my old house .': 'Ich@0 gehe@2 zu@3 meinem@4 alten@5 Haus@6 .@7',
  'the agreement on the European Economic Area was signed in August 1992 .':
    'das@0 Abkommen@1 über@2 den@3 Europäischen@4 Wirtschaftsraum@5 wurde@7 im@9 August@10 1992@11 unterzeichnet@8 .@12',
  'ذهب الولد إلى المدرسة في الصباح .': 'the@1 boy@1 went@0 to@2 school@3 in@4 the@5 morning@5 .@6',
  'the boy went to school in the morning .': 'ذهب@2 الولد@1 إلى@3 المدرسة@4 في@5 الصباح@7 .@8',
  '나는 어제 도서관에서 책을 읽었습니다 .': 'I@0 read@4 a@3 book@3 in@2 the@2 library@2 yesterday@1 .@5',
};
const words = Object.fromEntries(('the=die a=ein house=Haus old=alt green=grün man=Mann woman=Frau is=ist and=und dog=Hund ' +
  'sees=sieht red=rot car=Auto in=in garden=Garten with=mit children=Kinder play=spielen small=klein').split(' ')
  .map(pair => pair.split('=')));
const others = {house: 'home', old: 'former', going: 'walking', boy: 'child', Haus: 'Heim', die: 'der', Mann: 'Herr',
  alten: 'früheren', book: 'novel', Abkommen: 'Vertrag', unterzeichnet: 'unterschrieben'};

/* The tokens that a model knows: of the word list, or of its part of the phrase book. */
function tokens({source, target}) {
  const lists = source === 'en' && target === 'de' ? [Object.keys(words), Object.values(words)]
    : source === 'de' ? [Object.values(words), Object.keys(words)]
    : [Object.keys(book).join(' ').split(' '), Object.values(book).join(' ').replace(/@\d+/g, '').split(' ')];
  return lists.map(list => [...new Set(list)]);
}
function sizes(model) {
  const [source, target] = tokens(model);
  return {source_tokens: model.name === 'en-ar' ? 32000 : source.length, target_tokens: model.name === 'en-ar' ? 32000 : target.length};
}
const script = {hi: /[\u0900-\u097f]/, ar: /[\u0600-\u06ff]/, ko: /[\uac00-\ud7af]/};
function examples({source, name}) {
  if (script[source])
    return Object.keys(book).filter(line => script[source].test(line));
  return source === 'en' && name !== 'en-ar' ? ['the old woman sees a dog', 'a car', 'the man is small', 'children play in a garden',
    'the old man sees a green house .', 'the agreement on the European Economic Area was signed in August 1992 .'] : [];
}
export function vocabulary(model) {
  const side = list => model.name === 'en-ar' ? {size: 32000} : {size: list.length, tokens: list};
  const [source, target] = tokens(model).map(side);
  return {model: model.name, examples: model.examples, source, target};
}

/* Words of a sentence that the model does not know, by code points of the text. */
function unknown(model, q) {
  const known = new Set(tokens(model)[0]);
  if (book[q.split(/\s+/).join(' ')] || model.source === 'de')
    return [];
  return [...q.matchAll(/[\p{L}\p{M}\p{So}\u200d]+/gu)].filter(([word]) => !known.has(word) && !known.has(word.toLowerCase()))
    .map(({0: word, index}) => ({text: word, start: [...q.slice(0, index)].length, end: [...q.slice(0, index + word.length)].length}));
}

export const models = [
  {name: 'en-de', source: 'en', target: 'de', attention: 'additive', cell: 'gru', parameters: 11400000, sharp: 1.6, split: 8},
  {name: 'de-en', source: 'de', target: 'en', attention: 'additive', cell: 'gru', parameters: 11400000, sharp: 1.6},
  {name: 'en-de-dot', source: 'en', target: 'de', attention: 'dot', cell: 'lstm', parameters: 9800000, sharp: 0.7},
  {name: 'en-de-heads', source: 'en', target: 'de', attention: 'scaled_dot', cell: 'gru', parameters: 9900000, sharp: 1.1, heads: 3,
    encoder: 'transformer'},
  {name: 'en-de-none', source: 'en', target: 'de', attention: 'none', cell: 'gru', parameters: 8000000},
  {name: 'hi-en', source: 'hi', target: 'en', attention: 'additive', cell: 'gru', parameters: 743000, sharp: 1.9},
  {name: 'ar-en', source: 'ar', target: 'en', attention: 'general', cell: 'gru', parameters: 5200000, sharp: 1.5},
  {name: 'en-ar', source: 'en', target: 'ar', attention: 'general', cell: 'gru', parameters: 5200000, sharp: 1.5},
  {name: 'ko-en', source: 'ko', target: 'en', attention: 'local', cell: 'lstm', parameters: 6100000, sharp: 1.4},
].map(model => ({placement: 'bahdanau', encoder: 'recurrent', heads: 1, int8: false, ...sizes(model), examples: examples(model), ...model}));

const END = '</s>';
const noise = (...seeds) => {
  let hash = 2166136261;
  for (const letter of seeds.join(' '))
    hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return hash / 4294967296;
};

/* A word as its pieces: those of more than `split` letters have two. */
function cut(word, split) {
  const letters = [...word];
  return split && letters.length > split && word !== END ? [letters.slice(0, 5).join(''), letters.slice(5).join('')] : [word];
}

/* [{text, word}] with </s>. */
function toPieces(list, split) {
  return [...list, END].flatMap((word, w) =>
    cut(word, split).map((text, i) => ({text: split && i === 0 && word !== END ? `\u2581${text}` : text, word: w})));
}

function plan(source) {
  const known = book[source.join(' ')];
  const list = known ? known.split(' ').map(entry => ({word: entry.slice(0, entry.lastIndexOf('@')),
    at: Number(entry.slice(entry.lastIndexOf('@') + 1))}))
    : source.map((word, at) => ({word: words[word] ?? (/^\w+$/.test(word) ? `${word}en` : word), at}));
  return [...list, {word: END, at: source.length}];
}

/* Steps of the decoder, [{text, word, at}]: at is the piece that it looks at, word counts target words. */
function decode(model, source, sources, attend, variant) {
  const wanted = plan(source), steps = [];
  const firstPiece = at => sources.findIndex(piece => piece.word === at);
  for (let k = 0, word = 0; k < wanted.length && steps.length < 2 * sources.length + 8; word++) {
    const told = attend.find(one => one.step === steps.length && one.weight > 0.5);
    if (told)
      k = Math.max(wanted.findIndex(entry => entry.at === sources[told.source].word), 0);
    const entry = wanted[k++], text = variant === k ? others[entry.word] ?? `${entry.word}s` : entry.word;
    const shown = entry.word === END ? END : text;
    cut(shown, model.split).forEach((piece, i) => steps.push({word, at: firstPiece(entry.at) + i,
      text: model.split && i === 0 && shown !== END ? `\u2581${piece}` : piece}));
  }
  return steps;
}

function row(model, count, step, t, attend, head) {
  const raw = Array.from({length: count}, (_, s) =>
    Math.exp(-model.sharp * (1 + 0.4 * head) * Math.min(Math.abs(s - step.at), 3) + 0.9 * noise(step.text, t, s, head)));
  const told = attend.filter(one => one.step === t), given = new Map(told.map(one => [one.source, one.weight]));
  const rest = 1 - told.reduce((sum, one) => sum + one.weight, 0);
  const free = raw.reduce((sum, x, s) => given.has(s) ? sum : sum + x, 0);
  return raw.map((x, s) => given.get(s) ?? rest * x / free);
}

const mean = rows => rows[0].map((_, s) => rows.reduce((sum, one) => sum + one[s], 0) / rows.length);
/* [{one, i}] of each word. */
function byWord(list) {
  const groups = [];
  list.forEach((one, i) => (groups[one.word] ??= []).push({one, i}));
  return groups;
}

function fold(matrix, rows, columns) {
  return rows.map(row => columns.map(column =>
    column.reduce((sum, {i}) => sum + mean(row.map(({i: t}) => matrix[t]))[i], 0)));
}

function hypothesis(model, source, sources, {attend, words: folded, variant, target}) {
  const steps = target ?? decode(model, source, sources, attend, variant);
  const scores = steps.map((step, t) => Math.log(0.45 + 0.54 * noise(step.text, t)) - (variant ? 0.4 : 0));
  const heads = Array.from({length: model.heads}, (_, head) =>
    steps.map((step, t) => row(model, sources.length, step, t, attend, head)));
  const rows = byWord(steps), columns = byWord(sources);
  const shape = matrix => folded ? fold(matrix, rows, columns) : matrix;
  const spelled = rows.map(row => row.map(({one}) => one.text).join('').replace('\u2581', ''));
  const text = spelled.filter(word => word !== END).join(' ').replace(/ ([.,!?])/g, '$1');
  const total = scores.reduce((sum, score) => sum + score, 0);
  return {target: folded ? spelled : steps.map(step => step.text), text,
    attention: model.attention === 'none' ? null : shape(mean2(heads)),
    ...model.heads > 1 ? {heads: heads.map(shape)} : {},
    score: total / steps.length, log_probability: total,
    token_scores: folded ? rows.map(row => row.reduce((sum, {i}) => sum + scores[i], 0)) : scores, complete: true};
}

const mean2 = heads => heads[0].map((_, t) => mean(heads.map(head => head[t])));

/* The answer of /attention. */
export function translate(model, q, {alternatives = 0, words: folded = false, attend = []} = {}) {
  const source = q.split(/\s+/).filter(Boolean), sources = toPieces(source, model.split);
  for (const {source: s} of attend)
    if (!(s < sources.length))
      throw new Error(`source word ${s} of the focus is beyond the sentence, which has ${sources.length}`);
  const best = hypothesis(model, source, sources, {attend, words: folded});
  const list = Array.from({length: Math.min(alternatives, source.length)}, (_, i) =>
    hypothesis(model, source, sources, {attend, words: folded, variant: i + 1}));
  const names = folded ? [...source, END] : sources.map(piece => piece.text);
  const missing = unknown(model, q);
  return {model: model.name, source: names, ...best, ...list.length ? {alternatives: list} : {}, unknown: missing,
    ...model.heads > 1 ? {} : {confidence: Math.exp(best.score)}, milliseconds: 3.1};
}

/* The answer of /self-attention: two layers of three heads. */
export function selfAttention(model, q) {
  const source = [...q.split(/\s+/).filter(Boolean), END], count = source.length;
  return {source, layers: [0, 1].map(layer => [0, 1, 2].map(head =>
    source.map((text, at) => row(model, count, {at, text}, layer, [], head))))};
}
