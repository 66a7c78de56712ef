/* A server with the addresses of attend serve and a toy for a model: `node stand_in.mjs [PORT]`, or import start. */
import {createReadStream, existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {models, selfAttention, translate, vocabulary} from './toy_model.mjs';

const web = fileURLToPath(new URL('../../web', import.meta.url));
const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript'};
const names = {en: 'English', de: 'German', hi: 'Hindi', ar: 'Arabic', ko: 'Korean'};
const CHARACTERS = 5000;

const refuse = (status, words) => { throw Object.assign(new Error(words), {status}); };

function modelFor({model, source, target}) {
  return model ? models.find(one => one.name === model) ?? refuse(400, `${model} is not supported`)
    : models.find(one => (!source || source === 'auto' || one.source === source) && (!target || one.target === target)) ??
      refuse(400, `${target} is not supported`);
}

function textOf({q}) {
  if (!q)
    refuse(400, 'Invalid request: missing q parameter');
  if (q.length > CHARACTERS)
    refuse(400, `Invalid request: request (${q.length}) exceeds text limit (${CHARACTERS})`);
  return q;
}

const escaped = text => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`);

/* Not the real picture, but one. */
function picture({matrix, view, dark}) {
  const cells = matrix.attention.flatMap((row, t) => row.map((weight, s) =>
    `<rect x="${80 + 20 * s}" y="${20 + 20 * t}" width="20" height="20" fill="#02659a" fill-opacity="${weight}"/>`));
  const labels = matrix.target.map((word, t) => `<text x="4" y="${35 + 20 * t}" font-size="12">${escaped(word)}</text>`);
  const width = 84 + 20 * matrix.source.length, height = 24 + 20 * matrix.target.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><title>${view}</title>` +
    `<rect width="100%" height="100%" fill="${dark ? '#16181c' : '#ffffff'}"/>${cells.join('')}${labels.join('')}</svg>`;
}

function translated(body) {
  const model = modelFor({...body, model: body.model || undefined}), list = [].concat(body.q ?? '');
  const answers = list.map(q => translate(model, textOf({q}), {alternatives: Number(body.alternatives ?? 0)}));
  const one = values => Array.isArray(body.q) ? values : values[0];
  return {translatedText: one(answers.map(answer => answer.text)),
    ...body.source === 'auto' ? {detectedLanguage: one(answers.map(() => ({confidence: 90, language: model.source})))} : {},
    ...Number(body.alternatives) > 0 ? {alternatives: one(answers.map(answer => answer.alternatives.map(({text}) => text)))} : {}};
}

/* As if the words that the toy attends to were those that matter. */
function effect(body) {
  const {source, target, attention} = translate(modelFor({model: body.model}), textOf(body), {}); /* its target is a text */
  const lost = (attention ?? target.map(() => source.map(() => 0.25))).map(row => row.map((weight, s) => s + 1 < row.length ? 8 * weight - 0.2 : null));
  return {source, target, attention, leave_one_out: lost, gradient: null, integrated_gradients: null,
    kendall: attention && {leave_one_out: {mean: 1, words: target.map(() => 1)}}};
}

const languages = () => Object.keys(names).filter(code => models.some(model => model.source === code || model.target === code))
  .map(code => ({code, name: names[code], targets: models.filter(model => model.source === code).map(model => model.target)}));

const shown = ({sharp, split, ...model}) => model;
const routes = {
  'GET /models': () => ({models: models.map(shown)}),
  'GET /languages': languages,
  'GET /health': () => ({status: 'ok'}),
  'GET /spec': () => ({swagger: '2.0', info: {title: 'LibreTranslate'}}),
  'GET /frontend/settings': () => ({charLimit: CHARACTERS, keyRequired: false}),
  'POST /translate': translated,
  'POST /detect': body => textOf(body) && [{confidence: 90, language: 'en'}],
  'POST /attention': body => translate(modelFor(body), textOf(body), body),
  'POST /explain': effect,
  'POST /self-attention': body => selfAttention(modelFor(body), textOf(body)),
  'POST /vocabulary': body => vocabulary(modelFor(body)),
  'POST /picture': picture,
};

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request)
    chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return refuse(400, 'Invalid JSON format');
  }
}

async function answer(request, response) {
  const {pathname} = new URL(request.url, 'http://localhost'), file = join(web, pathname === '/' ? 'app.html' : pathname);
  const route = routes[`${request.method} ${pathname}`];
  if (!route && /^\/[a-z.]*$/.test(pathname) && existsSync(file) && types[extname(file)]) {
    response.writeHead(200, {'Content-Type': `${types[extname(file)]}; charset=utf-8`});
    return createReadStream(file).pipe(response);
  }
  try {
    const result = (route ?? (() => refuse(404, 'Not found')))(await bodyOf(request));
    const isText = typeof result === 'string';
    response.writeHead(200, {'Content-Type': isText ? 'image/svg+xml' : 'application/json; charset=utf-8'});
    response.end(isText ? result : JSON.stringify(result));
  } catch (error) {
    response.writeHead(error.status ?? 400, {'Content-Type': 'application/json; charset=utf-8'});
    response.end(JSON.stringify({error: error.message}));
  }
}

/* {url, close()}; port 0: any that is free. */
export async function start(port = 0) {
  const server = createServer(answer);
  await new Promise(resolve => server.listen(port, '127.0.0.1', resolve));
  return {url: `http://127.0.0.1:${server.address().port}`, close: () => server.close()};
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log((await start(Number(process.argv[2] ?? 5000))).url);
