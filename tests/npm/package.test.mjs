/* The npm package as a project has it: run.sh installs it into an empty one and runs this there. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import test from 'node:test';
import {pathToFileURL} from 'node:url';
import {createEngine, load, train} from '@attend/attend';

const path = join(process.env.ATTEND_MODELS, 'hindi-english.safetensors'), bytes = readFileSync(path);
const HINDI = 'mai ghar ja raha hoon', SAYS = 'I am going home', OTHER = 'phool chhote the', FLOWERS = 'the flowers were small';
const near = (x, y) => assert.ok(Math.abs(x - y) < 1e-5, `${x}, ${y}`);
const row = ({data, shape: [, width]}, t) => [...data.subarray(t * width, (t + 1) * width)];

/* ---- Where a model comes from ---- */

async function served(t, answer) {
  const server = createServer(answer);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/model`;
}

test('a model is a path, an address, bytes, a Blob or a Response', async t => {
  const address = await served(t, (request, response) => response.end(bytes));
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  for (const source of [path, pathToFileURL(path), pathToFileURL(path).href, bytes, buffer, new DataView(buffer), new Blob([bytes]), address,
    new URL(address), await fetch(address)]) {
    const model = await load(source);
    assert.equal((await model.translate(HINDI)).text, SAYS);
    await model.close();
  }
});

test('what is no model is refused', async t => {
  const address = await served(t, (request, response) => response.writeHead(404).end());
  await assert.rejects(load(address), /404 Not Found/);
  await assert.rejects(load('missing.safetensors'), {code: 'ENOENT'});
  await assert.rejects(load(7), TypeError);
  await assert.rejects(load(new Uint8Array([1, 2, 3])), {status: 'FORMAT', message: /3 bytes/});
  await assert.rejects(load(bytes, {beam: 'x'}), {status: 'USAGE', message: /beam/});
  await assert.rejects(load(bytes, {wasm: new Uint8Array([1, 2, 3])}), /[Ww]eb[Aa]ssembly/);
});

/* ---- Calls, in a worker and here ---- */

for (const worker of [true, false]) {
  const where = worker ? 'in a worker' : 'here', model = await load(path, {worker});

  test(`one text, several, and the n best, ${where}`, async () => {
    const {text, source, target, attention, tokenScores, logProbability, alternatives} = await model.translate(HINDI);
    assert.equal(text, SAYS);
    assert.deepEqual(source, [...HINDI.split(' '), '</s>']);
    assert.deepEqual(target, [...SAYS.split(' '), '</s>']);
    assert.ok(attention.data instanceof Float32Array && tokenScores instanceof Float32Array);
    assert.deepEqual(attention.shape, [5, 6]);
    for (let t = 0; t < 5; t++)
      near(row(attention, t).reduce((a, b) => a + b), 1);
    assert.ok(row(attention, 3)[1] > 0.9);
    near(tokenScores.reduce((a, b) => a + b), logProbability);
    assert.equal(alternatives, undefined);
    assert.deepEqual((await model.translate([HINDI, OTHER, ''])).map(one => one.text), [SAYS, FLOWERS, (await model.translate('')).text]);
    const best = await model.nbest(OTHER, 3);
    assert.deepEqual([best.length, best[0].text, best[2].source.length], [3, FLOWERS, 4]);
    assert.ok(best[0].score >= best[1].score && best[1].score >= best[2].score);
    assert.equal((await model.nbest(OTHER, 1)).length, 1);
  });

  test(`constraints, given translations and what if, ${where}`, async () => {
    assert.ok((await model.translate(OTHER, {prefix: 'a'})).text.startsWith('a '));
    assert.ok((await model.translate(OTHER, {require: ['good']})).text.includes('good'));
    const focus = [{target: 3, source: 0, weight: 1}], told = await model.translate(HINDI, {focus});
    assert.deepEqual(row(told.attention, 3), [1, 0, 0, 0, 0, 0]);
    const {before, after} = await model.whatIf(HINDI, focus);
    assert.deepEqual([before.text, after.text], [SAYS, told.text]);
    assert.notEqual(after.text, SAYS);
    const right = await model.score(OTHER, FLOWERS), wrong = await model.score(OTHER, 'the houses were small');
    assert.ok(right.logProbability > wrong.logProbability + 2);
  });

  test(`steps and explanations, ${where}`, async () => {
    const {steps: [first], heads} = await model.steps(OTHER, {top: 2});
    assert.deepEqual([heads, first.word, first.scores.shape, first.state.length], [1, 'the', [1, 4], model.info.hidden]);
    assert.equal(first.likeliest.length, 2);
    const {leaveOneOut, gradient, kendall} = await model.explain(OTHER);
    assert.deepEqual(leaveOneOut.shape, [5, 4]);
    assert.ok(row(leaveOneOut, 1)[0] > 3 && Number.isNaN(row(leaveOneOut, 1)[3]));
    assert.equal(gradient, null);
    assert.ok(kendall.leaveOneOut.mean > 0);
    assert.deepEqual([model.info.attention, model.info.pairs], ['additive', [{from: 'hi', to: 'en'}]]);
  });

  test(`a wrong call has the library's words, ${where}`, async () => {
    await assert.rejects(model.translate('a\nb'), {status: 'DATA'});
    await assert.rejects(model.translate(HINDI, {focus: [{target: 0, source: 9, weight: 1}]}), {status: 'USAGE'});
    await assert.rejects(model.translate(HINDI, {signal: AbortSignal.abort()}), {name: 'AbortError'});
  });

  test.after?.(() => model.close());
}

test('a worker leaves the event loop free, and a signal ends the waiting', async () => {
  const model = await load(path), long = Array(60).fill(HINDI).join(' ');
  let turns = 0;
  const timer = setInterval(() => turns++, 5), start = performance.now();
  await model.translate([long, long, long, long]);
  const expected = (performance.now() - start) / 5;
  clearInterval(timer);
  assert.ok(expected > 4 && turns > expected / 4, `${turns} of ${expected} turns`);
  const control = new AbortController(), waiting = model.translate(Array(50).fill(long), {signal: control.signal});
  control.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await model.close();
  await assert.rejects(model.translate(HINDI), /ended|closed/);
});

test('an engine has several models, and a program ends when nothing is asked', async () => {
  const engine = await createEngine(), [one, two] = await Promise.all([engine.load(path), engine.load(bytes, {beam: 1})]);
  assert.deepEqual((await Promise.all([one.translate(HINDI), two.translate(HINDI)])).map(({text}) => text), [SAYS, SAYS]);
  await one.close();
  await assert.rejects(one.translate(HINDI), /closed/);
  assert.equal((await two.translate(HINDI)).text, SAYS);
  await engine.close();
  const program = `import {load} from '@attend/attend';
    const model = await load(${JSON.stringify(path)});
    console.log((await model.translate(${JSON.stringify(HINDI)})).text);`;
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', program], {encoding: 'utf8', timeout: 20000}), `${SAYS}\n`);
});

/* ---- Training ---- */

const letters = [...'abcd'], pairs = letters.flatMap(a => letters.flatMap(b => letters.map(c => [`${a} ${b} ${c}`, `${c} ${b} ${a}`])));
const options = {tokenizer: 'spaces', split: 'none', emb: 12, hidden: 24, lr: 0.02, batchTokens: 120, maxEpochs: 60, labelSmoothing: 0, seed: 3};

test('training reports, and its result is a model', async () => {
  for (const worker of [true, false]) {
    const losses = [], events = new Set();
    const result = await train(pairs, {...options, worker, valid: pairs.slice(0, 9), async onReport({event, loss, settings}) {
      events.add(event);
      if (event === 'progress')
        losses.push(loss);
    }});
    assert.ok(['start', 'progress', 'validation', 'end'].every(event => events.has(event)), [...events].join());
    assert.ok(losses.at(-1) < losses[0] / 10);
    const model = await load(result, {worker});
    assert.equal((await model.translate('d a b')).text, 'b a d');
    await model.close();
  }
});

test('training is cancelled by a signal, and by an error of the callback', async () => {
  for (const worker of [true, false]) {
    const control = new AbortController();
    let updates = 0;
    const running = train(pairs, {...options, worker, maxEpochs: 100000, patience: 0, signal: control.signal, every: 2, onReport({event}) {
      if (event === 'progress' && ++updates === 20)
        control.abort(new Error('seen enough'));
    }});
    await assert.rejects(running, /seen enough/);
    assert.ok(updates < 30, `${updates} updates`);
    await assert.rejects(train(pairs, {...options, worker, onReport() { throw new Error('my own'); }}), /my own/);
  }
});

test('training can be led step by step', async () => {
  const engine = await createEngine(), run = await engine.startTraining(pairs, options);
  const {ended, reports} = await run.advance(2);
  assert.deepEqual([ended, reports.at(-1).update, reports.at(-1).lr], [false, 2, 0.02]);
  const early = await run.save();
  await run.setLearningRate(0.005);
  near((await run.advance(1)).reports.at(-1).lr, 0.005);
  assert.notDeepEqual(await run.save(), early);
  assert.equal((await engine.load(early)).info.hidden, 24);
  assert.equal(await run.best(), undefined);
  await run.close();
  await engine.close();
});

test('wrong training is refused', async () => {
  await assert.rejects(train(pairs, {...options, hiden: 3}), {status: 'USAGE', message: /hidden/});
  await assert.rejects(train([['a\tb', 'c']], options), /pair 1: a text has a tab/);
  await assert.rejects(train([], options), /./);
});

test('the package says what it is', () => {
  const {name, type, exports} = createRequire(import.meta.url)('@attend/attend/package.json');
  assert.deepEqual([name, type], ['@attend/attend', 'module']);
  for (const file of [...Object.values(exports['.']), exports['./attend.wasm']])
    assert.ok(readFileSync(join('node_modules/@attend/attend', file)).length > 0);
});
