/* The playground's worker without a page: data of all tasks, runs that repeat exactly, snapshots. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

import {Engine} from '../../web/engine.js';
import {usualSettings} from '../../web/experiment.js';
import {Learner} from '../../web/learner.js';
import {Snapshots} from '../../web/snapshots.js';
import {TASKS, lengthGroups, makeData, probesOf, readTable, targetOf} from '../../web/tasks.js';

const wasm = await WebAssembly.compile(readFileSync(process.env.ATTEND_WASM));
const newEngine = () => Engine.load(wasm, {print() {}});

async function learn(settings, updates, during = () => {}) {
  const said = [], learner = new Learner(await newEngine(), settings, message => said.push(message));
  while (learner.update < updates && !learner.resting) {
    during(learner);
    learner.updateOnce();
    learner.seenByPage = true;
  }
  const losses = said.filter(({say}) => say === 'losses').flatMap(({points}) => points);
  const tests = said.filter(({say}) => say === 'tested');
  return {learner, said, losses, tests, bytes: learner.run.save()};
}

const table = Array.from({length: 40}, (_, i) => `word${i} <b> "x"\tأهلا ${i}`).join('\n');

test('every task makes the same pairs from the same seed, and tests on others', async () => {
  for (const task of Object.keys(TASKS)) {
    const settings = {...usualSettings(task), table}, engine = await newEngine(), data = makeData(settings, engine);
    assert.deepEqual(makeData(settings, engine), data, task);
    const trained = new Set(data.train.map(({source}) => source));
    assert.ok(data.train.length >= 30 && data.test.length >= 8, task);
    for (const {source, target, from} of data.test) {
      assert.ok(!trained.has(source) && source && target, `${task}: ${source}`);
      for (const place of (from ?? []).flat())
        assert.ok(place < [...source].length, `${task}: ${source}`);
    }
    assert.ok(probesOf(settings, data.test).every(({source}) => !trained.has(source)), task);
    if (!TASKS[task].own)
      assert.notDeepEqual(makeData({...settings, seed: 2}, engine).train[5], data.train[5], task);
  }
});

test('tasks say what is right', () => {
  const settings = usualSettings('shift');
  assert.equal(targetOf(usualSettings('reverse'), '1 2 3'), '3 2 1');
  assert.equal(targetOf(usualSettings('sort'), '3 1 2 1'), '1 1 2 3');
  assert.equal(targetOf(settings, 'a y z'), 'b z a');
  assert.equal(targetOf({...settings, shift: 3}, 'a'), 'd');
  assert.equal(targetOf(usualSettings('dates'), '5 march 1987'), '1987-03-05');
  assert.equal(targetOf(usualSettings('dates'), '6 march 1987'), null);
  const {train} = makeData(usualSettings('dates'));
  for (const {source, target} of train.slice(0, 200)) { /* another way to read the dates */
    const [year, month, day] = target.split('-').map(Number);
    const read = new Date(`${source.replace(/^(\d+)\. /, '$1 ')} UTC`);
    assert.deepEqual([read.getUTCFullYear(), read.getUTCMonth() + 1, read.getUTCDate()], [year, month, day], source);
  }
});

test('the grammar in the module is that of the demo', async () => {
  const read = name => readFileSync(new URL(`../../demo/${name}`, import.meta.url), 'utf8').trimEnd().split('\n');
  const [hindi, english, gold] = ['train.hi', 'train.en', 'train.gold'].map(read);
  const known = new Map(hindi.map((line, i) => [line, [english[i], gold[i]]]));
  const pairs = (await newEngine()).grammarPairs(7, 3000), shared = pairs.filter(([source]) => known.has(source));
  assert.ok(shared.length > 300, `${shared.length} of the demo's sentences`);
  for (const [source, ...rest] of shared)
    assert.deepEqual(rest, known.get(source), source);
});

test('pasted pairs are lines with a tab; others are left out', () => {
  assert.deepEqual(readTable('a\tb\n\nno tab\nx\t\n c \t d \textra\r\n').map(({source, target}) => [source, target]), [['a', 'b'], ['c', 'd']]);
  const long = 'a '.repeat(101);
  assert.deepEqual(readTable(`\ufeffa\0b\tc\ud800\n${long}\tb\na\t${long}\n${long.slice(2)}\tb`).map(({source, target}) => [source, target]),
    [['a b', 'c'], [long.slice(2).trim(), 'b']]);
});

test('the same settings give the same losses, tests and weights, whatever is looked at', async () => {
  const settings = {...usualSettings('reverse'), rates: [[5, 0.001], [9, 0.01]]};
  const one = await learn(settings, 20);
  const two = await learn(settings, 20, learner => {
    learner.show(0);
    learner.show(null);
    learner.setProbes([{source: '1 2 3', focus: []}]);
  });
  assert.deepEqual(two.losses, one.losses);
  assert.deepEqual(two.tests, one.tests);
  assert.deepEqual(two.bytes, one.bytes);
  assert.deepEqual(one.losses.map(([, , , lr]) => lr).filter((lr, i, all) => lr !== all[i - 1]), [0.003, 0.001, 0.01]);
  assert.notDeepEqual((await learn({...settings, seed: 2}, 20)).losses, one.losses);
});

test('a rate that is changed while it runs is the one that a link repeats', async () => {
  const settings = usualSettings('reverse');
  const live = await learn(settings, 12, learner => learner.update === 7 && learner.setRate(0.01));
  const again = await learn({...settings, rates: [[7, 0.01]]}, 12);
  assert.deepEqual(again.bytes, live.bytes);
});

test('a snapshot shows what was shown then', async () => {
  const {learner, said} = await learn(usualSettings('reverse'), 30);
  const moments = said.filter(({say}) => say === 'moment'), then = moments.find(({update}) => update === 10);
  learner.show(10);
  assert.deepEqual(said.at(-1).probes, then.probes);
  assert.equal(said.at(-1).live, false);
  learner.show(null);
  assert.notDeepEqual(said.at(-1).probes, then.probes);
});

test('snapshots stay in their memory, keep the ends, and thin out', () => {
  const snapshots = new Snapshots(1000);
  for (let update = 0; update <= 500; update++)
    snapshots.add(update, new Uint8Array(50));
  const {updates} = snapshots;
  assert.ok(snapshots.size <= 1000 && updates.length <= 20 && updates.length > 10);
  assert.equal(updates[0], 0);
  assert.equal(updates.at(-1), 500);
  assert.ok(updates.filter(update => update < 100).length > 5, String(updates));
  assert.equal(snapshots.at(updates[3] + 0.5).update, updates[3]);
});

test('ten digits are reversed after a few hundred updates, and training rests', async () => {
  const {learner, tests} = await learn({...usualSettings('reverse'), from: 10, to: 10}, 600);
  assert.ok(learner.resting);
  assert.ok(tests.at(-1).right >= 0.98 * tests.at(-1).of);
  assert.ok(tests.at(-1).looks > 0.9); /* and the attention reads backward */
});

test('without attention, long sequences fall and short ones stand', async () => {
  const settings = {...usualSettings('shift'), from: 1, to: 20, hidden: 48};
  const [additive, none] = await Promise.all(['additive', 'none'].map(attention => learn({...settings, attention}, 500)));
  const shares = ({tests}) => tests.at(-1).groups.map(({right, of}) => right / of);
  assert.ok(shares(additive).at(-2) > 0.5, String(shares(additive)));
  assert.ok(shares(none)[0] > 0.8 && shares(none).at(-1) < 0.1, String(shares(none)));
  assert.deepEqual(lengthGroups(settings).map(group => group.join('-')), ['1-3', '4-6', '7-10', '11-13', '14-16', '17-20']);
});

test('every attention and cell trains, and what it cannot do is said', async () => {
  for (const attention of ['none', 'dot', 'general', 'scaled_dot', 'cosine', 'location', 'local', 'window', 'location_aware', 'monotonic'])
    for (const cell of attention === 'dot' ? ['gru', 'lstm', 'tanh'] : ['gru']) {
      const {learner, said, losses} = await learn({...usualSettings('reverse'), attention, cell, pairs: 500}, 6);
      assert.ok(losses.at(-1)[1] < losses[0][1], `${attention} ${cell}`);
      learner.setProbes([{source: '1 2 3', focus: [{target: 0, source: 0, weight: 1}]}]);
      const [probe] = said.at(-1).probes;
      if (attention === 'none')
        assert.match(probe.trouble, /none/);
      else
        assert.deepEqual(probe.steps[0].weights.map(weight => Number(weight.toFixed(6))), [1, 0, 0, 0]);
    }
});
