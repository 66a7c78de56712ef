/* The work of wasm.sh: node wasm.mjs FOLDER MODEL..., where FOLDER has MODEL.lines for each. */
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Engine} from '../../web/engine.js';

const [folder, ...models] = process.argv.slice(2), {ATTEND: program, ATTEND_WASM, CHROMIUM} = process.env, rounds = Number(process.env.ROUNDS);
const root = fileURLToPath(new URL('../..', import.meta.url)), wasm = readFileSync(ATTEND_WASM);
const NEAR = 1e-3; /* of log-probabilities, and of weights */
const LEAST = 998; /* of 1,000 lines have the same text */

const bytesOf = model => readFileSync(join(root, 'models', `${model}.safetensors`));
const fileOf = model => join(folder, `${model}.lines`);
const linesOf = model => readFileSync(fileOf(model), 'utf8').trimEnd().split('\n');
const wordsOf = answers => answers.reduce((sum, {target}) => sum + target.length - 1, 0);

/* ---- The program ---- */

/* The seconds are those of its processor: others may use the machine meanwhile. */
function translate(model, file, flags = [], level = 'avx512') {
  const {stdout, stderr} = spawnSync('bash', ['-c', 'TIMEFORMAT=%U; time "$@" 2>/dev/null', 'time', program, 'translate', '--model', model,
    '--threads', '1', '--alignment', 'json', '--input', file, ...flags],
  {encoding: 'utf8', maxBuffer: 1 << 28, env: {...process.env, LC_ALL: 'C', ATTEND_SIMD: level}});
  return {seconds: Number(stderr), answers: stdout.trimEnd().split('\n').map(JSON.parse)};
}

/* Seconds for all lines without those for the start, which one line tells. */
function timeProgram(model, flags) {
  const one = join(folder, 'one');
  writeFileSync(one, `${linesOf(model)[0]}\n`);
  let best = Infinity, start = Infinity;
  for (let i = 0; i < rounds; i++) {
    best = Math.min(best, translate(model, fileOf(model), flags).seconds);
    start = Math.min(start, translate(model, one, flags).seconds);
  }
  return best - start;
}

/* ---- attend.wasm ---- */

/* In Node and, as a text, in Chromium. The best time of every three lines: a millisecond is seldom interrupted. */
function timeLines(model, lines, most) {
  const best = lines.map(() => Infinity), few = 3;
  for (let i = 0; i < most; i++)
    for (let from = 0; from < lines.length; from += few) {
      const start = performance.now();
      for (const line of lines.slice(from, from + few))
        model.translate(line);
      best[from] = Math.min(best[from], (performance.now() - start) / 1000);
    }
  return best.filter(Number.isFinite).reduce((sum, seconds) => sum + seconds);
}

/* A site that never existed serves the sources of web/ and one model; the lines are translated in a worker. */
async function timeChromium(model, lines) {
  const require = createRequire(join(root, 'tests/page/'));
  if (!CHROMIUM || !existsSync(join(root, 'tests/page/node_modules/playwright-core')))
    return NaN;
  const browser = await require('playwright-core').chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
  const page = await browser.newPage(), site = 'http://127.0.0.1:9';
  const files = {'attend.wasm': wasm, model: bytesOf(model), 'worker.js': `import {Engine} from './engine.js';
    const bytes = async name => new Uint8Array(await (await fetch(name)).arrayBuffer());
    onmessage = async ({data: {lines, rounds}}) => {
      const engine = await Engine.load(await bytes('attend.wasm')), model = engine.openModel(await bytes('model'));
      postMessage((${timeLines})(model, lines, rounds));
    };`};
  const headers = {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'}; /* for a fine clock */
  await page.route(`${site}/**`, route => {
    const name = basename(new URL(route.request().url()).pathname), script = join(root, 'web', name);
    const body = files[name] ?? (name.endsWith('.js') ? readFileSync(script) : '<!doctype html>');
    return route.fulfill({body, headers, contentType: name.endsWith('.js') ? 'text/javascript' : name ? 'application/octet-stream' : 'text/html'});
  });
  await page.goto(`${site}/`);
  const seconds = await page.evaluate(([lines, rounds]) => new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', {type: 'module'});
    worker.onmessage = ({data}) => resolve(data);
    worker.onerror = event => reject(new Error(event.message));
    worker.postMessage({lines, rounds});
  }), [lines, rounds]);
  await browser.close();
  return seconds;
}

/* ---- Both ---- */

/* How far apart two texts are for the engine that chose one of them. */
const gapOf = (model, line, chosen, other) => Math.abs(model.translate(line, {target: chosen.text}).log_probability -
  model.translate(line, {target: other.text}).log_probability);

function compare(model, lines, natives) {
  const found = {same: 0, attention: 0, gap: 0};
  lines.forEach((line, i) => {
    const native = natives[i], here = model.translate(line);
    if (native.text !== here.text) {
      found.gap = Math.max(found.gap, gapOf(model, line, here, native));
      return;
    }
    found.same++;
    here.attention.forEach((row, t) => row.forEach((weight, s) => {
      found.attention = Math.max(found.attention, Math.abs(weight - native.attention[t][s]));
    }));
  });
  return found;
}

/* With AVX-512, the program rounds the inputs of int8 products to 8 bits, elsewhere to 11 as attend.wasm does. */
console.log('| model | same text | weights | program with AVX-512: same text | weights | program, in batches | program, a line at a time | Node | Chromium |');
console.log('|---|---|---|---|---|---|---|---|---|');
for (const name of models) {
  const lines = linesOf(name), {answers} = translate(name, fileOf(name), [], 'avx2'), other = translate(name, fileOf(name)).answers;
  const model = (await Engine.load(wasm)).openModel(bytesOf(name));
  const {same, attention, gap} = compare(model, lines, answers), wide = compare(model, lines, other);
  const seconds = [timeProgram(name), timeProgram(name, ['--batch-sentences', '1']), timeLines(model, lines, rounds), await timeChromium(name, lines)];
  const speeds = seconds.map(time => Math.round(wordsOf(answers) / time).toLocaleString('en'));
  const cells = [name, same, attention.toExponential(1), wide.same, wide.attention.toExponential(1), ...speeds];
  console.log(`| ${cells.join(' | ')} |`);
  if (same < lines.length || wide.same < lines.length)
    console.error(`${name}: where texts differ, their log-probabilities differ by at most ${gap.toExponential(1)}, ${wide.gap.toExponential(1)}`);
  if (lines.length !== 1000 || same < LEAST || gap > NEAR || attention > NEAR)
    process.exitCode = 1;
}
