/* attend.wasm under Node: training in steps, models, the server's routes without a server, and all of it in a worker. */
import assert from 'node:assert/strict';
import {webcrypto} from 'node:crypto';
import {readFileSync} from 'node:fs';
import test from 'node:test';

import {Engine} from '../../web/engine.js';
import {borrow, lend} from '../../web/remote.js';

const wasm = await WebAssembly.compile(readFileSync(process.env.ATTEND_WASM));
const quiet = {print: () => {}, random: bytes => webcrypto.getRandomValues(bytes)}; /* Node 18 has no crypto of its own */

/* All rows of up to three of five letters, and their reverse. */
const letters = ['a', 'b', 'c', 'd', 'e'];
const rows = letters.flatMap(a => [[a], ...letters.flatMap(b => [[a, b], ...letters.map(c => [a, b, c])])]);
const pairs = rows.map(row => [row.join(' '), [...row].reverse().join(' ')]);
const options = {tokenizer: 'word', split: 'none', emb: 12, hidden: 16, lr: 0.02, batchTokens: 120, maxEpochs: 60, labelSmoothing: 0, seed: 3};

function trainToEnd(engine, more) {
  const run = engine.train(pairs, {...options, ...more}), reports = [];
  for (let ended = false; !ended;) {
    const turn = run.advance(50);
    ended = turn.ended;
    reports.push(...turn.reports);
  }
  return {run, reports};
}

test('a run learns to reverse, and reports every update', async () => {
  const engine = await Engine.load(wasm, quiet), {run, reports} = trainToEnd(engine);
  const losses = reports.filter(({event}) => event === 'progress').map(({loss}) => loss);
  assert.equal(reports[0].event === 'start' || reports.some(({event}) => event === 'start'), true);
  assert.equal(reports.at(-1).event, 'end');
  assert.ok(losses.at(-1) < losses[0] / 10, `loss ${losses[0]} to ${losses.at(-1)}`);
  const model = engine.openModel(run.save());
  const wrong = pairs.filter(([source, target]) => model.translate(source).text !== target);
  assert.ok(wrong.length < pairs.length / 20, `${wrong.length} of ${pairs.length} are wrong`);
  run.close();
  model.close();
  assert.deepEqual([...engine.system.files.keys()], []);
});

test('the same seed gives the same bytes, and a snapshot is a model of its moment', async () => {
  const models = [];
  for (let i = 0; i < 2; i++) {
    const engine = await Engine.load(wasm, quiet), run = engine.train(pairs, options);
    run.advance(3);
    models.push(run.save());
    run.advance(3);
    models.push(run.save());
  }
  assert.deepEqual(models[0], models[2]);
  assert.deepEqual(models[1], models[3]);
  assert.notDeepEqual(models[0], models[1]);
});

test('models that are closed leave nothing behind', {skip: !globalThis.gc && 'needs --expose-gc'}, async () => {
  const engine = await Engine.load(wasm, quiet), run = engine.train(pairs, options);
  run.advance(1);
  const use = async count => { /* the bytes of JavaScript after so many models */
    for (let i = 0; i < count; i++)
      engine.openModel(run.save()).close();
    for (let i = 0; i < 3; i++) {
      globalThis.gc();
      await new Promise(done => setTimeout(done, 20));
    }
    return process.memoryUsage().arrayBuffers;
  };
  const before = await use(20);
  const grown = await use(200) - before;
  assert.ok(grown < 1e6, `${grown} bytes`);
});

test('the learning rate can change between updates', async () => {
  const run = (await Engine.load(wasm, quiet)).train(pairs, options);
  assert.equal(run.advance(1).reports.at(-1).lr, 0.02);
  run.setLearningRate(0.005);
  assert.equal(run.advance(1).reports.at(-1).lr, 0.005);
});

test('every step of the decoder is open: scores, weights, state and gates', async () => {
  const engine = await Engine.load(wasm, quiet), run = engine.train(pairs, options);
  run.advance(2);
  const {source, steps, heads} = engine.openModel(run.save()).steps('a b c', {target: 'c b a', top: 2});
  assert.deepEqual(source, ['a', 'b', 'c', '</s>']);
  assert.equal(heads, 1);
  for (const {scores: [scores], weights: [weights], state, gates, likeliest} of steps) {
    const powers = scores.map(Math.exp), sum = powers.reduce((a, b) => a + b);
    weights.forEach((weight, j) => assert.ok(Math.abs(weight - powers[j] / sum) < 1e-5));
    assert.equal(state.length, 16);
    assert.deepEqual(Object.keys(gates), ['candidate', 'reset', 'update']);
    assert.ok(gates.update.every(z => z > 0 && z < 1));
    assert.equal(likeliest.length, 2);
  }
  for (let t = 0; t + 1 < steps.length; t++)
    steps[t + 1].state.forEach((next, h) => {
      const {state, gates: {candidate, update}} = steps[t];
      assert.ok(Math.abs(next - (candidate[h] + update[h] * (state[h] - candidate[h]))) < 1e-5);
    });
});

test('a model translates under constraints, scores, explains and answers what if', async () => {
  const engine = await Engine.load(wasm, quiet), {run} = trainToEnd(engine), model = engine.openModel(run.save());
  const several = model.translate('a b c', {nbest: 3});
  assert.equal(several.text, 'c b a');
  assert.equal(several.alternatives.length, 2);
  assert.ok(model.translate('a b c', {prefix: 'b'}).text.startsWith('b'));
  assert.ok(model.translate('a b c', {require: ['e']}).text.includes('e'));
  const focus = [{target: 0, source: 0, weight: 1}];
  assert.deepEqual(model.translate('a b c', {focus}).attention[0], [1, 0, 0, 0]);
  assert.notEqual(model.whatIf('a b c', focus).after.text, 'c b a');
  assert.ok(model.translate('a b c', {target: 'a a a'}).log_probability < several.log_probability);
  assert.equal(model.explain('a b c').source.length, 4);
  assert.equal(model.info.attention, 'additive');
});

test('a failure is an error with the program\'s own words', async () => {
  const engine = await Engine.load(wasm, quiet);
  assert.throws(() => engine.train(pairs, {...options, hidden: 'x'}), {status: 'USAGE', message: /hidden/});
  assert.throws(() => engine.train(pairs, {...options, hiden: 3}), {status: 'USAGE', message: /hidden/});
  assert.throws(() => engine.train([], options), {message: /./});
  assert.throws(() => engine.openModel(new Uint8Array([1, 2, 3])), {status: 'FORMAT'});
  const run = engine.train(pairs, options);
  run.advance(1);
  const model = engine.openModel(run.save());
  assert.throws(() => model.translate('a\nb'), {status: 'DATA'});
  assert.throws(() => model.translate('a', {focus: [{target: 0, source: 9, weight: 1}]}), {status: 'USAGE'});
});

test('what was closed answers nothing any more', async () => {
  const engine = await Engine.load(wasm, quiet), run = engine.train(pairs, options);
  run.advance(1);
  const bytes = run.save(), model = engine.openModel(bytes), server = engine.serve({one: bytes});
  for (const one of [run, model, server])
    one.close();
  assert.throws(() => run.advance(1), /closed/);
  assert.throws(() => run.setLearningRate(1), /closed/);
  assert.throws(() => model.translate('a'), /closed/);
  assert.throws(() => server.request('GET', '/models', null, null), /closed/);
  const other = engine.openModel(bytes);
  engine.close();
  assert.throws(() => other.translate('a'), /closed/);
  other.close();
});

test('texts of pairs are checked', async () => {
  const engine = await Engine.load(wasm, quiet);
  assert.throws(() => engine.train([['a', 'b'], ['a\tb', 'c']], options), /pair 2: a text has a tab/);
});

/* ---- The server's routes ---- */

const encoded = body => new TextEncoder().encode(JSON.stringify(body));
const read = ({body}) => JSON.parse(new TextDecoder().decode(body));
const post = (server, path, body) => server.request('POST', path, 'application/json', encoded(body));

async function serving(options) {
  const engine = await Engine.load(wasm, quiet), {run} = trainToEnd(engine), bytes = run.save();
  return {engine, model: engine.openModel(bytes), server: engine.serve({one: bytes, two: bytes}, options)};
}

test('the routes answer as a server does', async () => {
  const {model, server} = await serving();
  const {models} = read(server.request('GET', '/models', null, null));
  assert.deepEqual(models.map(({name}) => name), ['one', 'two']);
  const response = post(server, '/attention', {q: 'a b c', model: 'two'}), answer = read(response);
  assert.equal(response.status, 200);
  assert.match(response.headers['Content-Type'], /^application\/json/);
  assert.equal(answer.text, 'c b a');
  assert.deepEqual(answer.attention, model.translate('a b c').attention);
  assert.equal(read(post(server, '/explain', {q: 'a b c'})).leave_one_out.length, 4);
  assert.equal(read(post(server, '/vocabulary', {model: 'one'})).source.size, 5);
});

test('a wrong request is refused as a server refuses it', async () => {
  const {server} = await serving({maxBody: 1024, maxCharacters: 10});
  assert.equal(server.request('GET', '/nothing', null, null).status, 404);
  assert.equal(server.request('GET', '/translate', null, null).status, 405);
  assert.equal(server.request('POST', '/attention', 'application/json', new TextEncoder().encode('{')).status, 400);
  assert.match(read(post(server, '/attention', {q: 'a', model: 'three'})).error, /three/);
  assert.equal(post(server, '/attention', {q: 'a b c a b c a b c'}).status, 400);
  assert.equal(server.request('POST', '/attention', 'application/json', new Uint8Array(2000)).status, 413);
});

/* ---- In a worker ---- */

function channel(root) {
  const {port1, port2} = new MessageChannel();
  lend(port1, root);
  return {here: borrow(port2), port: port2, close: () => port1.close()};
}

test('objects on the other side of a channel behave as here', async t => {
  const {here, close} = channel({load: bytes => Engine.load(bytes, quiet)});
  t.after(close);
  const engine = await here.load(wasm), run = await engine.train(pairs, options);
  const {reports, ended} = await run.advance(2);
  assert.equal(ended, false);
  assert.ok(reports.length >= 2);
  const bytes = await run.save(), model = await engine.openModel(bytes);
  assert.equal((await model.info()).attention, 'additive');
  const direct = (await Engine.load(wasm, quiet)).openModel(bytes);
  assert.deepEqual(await model.translate('a b c'), direct.translate('a b c'));
  await assert.rejects(() => model.translate('a\nb'), {status: 'DATA'});
  await model.close();
  await assert.rejects(() => model.translate('a'), /closed/);
  const answers = await Promise.all([run.advance(1), run.advance(1)]);
  assert.deepEqual(answers.map(({reports: [first]}) => first.update), [3, 4]);
});

test('a worker that ends fails what waits for it', async t => {
  const {here, port, close} = channel({wait: () => new Promise(() => {})});
  t.after(close);
  const waiting = here.wait();
  port.onerror({message: 'it broke'});
  await assert.rejects(waiting, /it broke/);
});
