/* The parts of the page that need no browser. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {scales} from '../../web/colors.js';
import {thinned, ticksTo} from '../../web/curves.js';
import {readExperiment, usualSettings, writeExperiment} from '../../web/experiment.js';
import {newPanelState, newState, readLink, writeLink} from '../../web/link.js';
import {TASKS} from '../../web/tasks.js';
import {locate, matching, piecesOf, readable} from '../../web/tokens.js';
import {collapse, findUnknown} from '../../web/unknown.js';

test('colors are those of attend plot', () => {
  const page = readFileSync(`${process.env.SAMPLES}/known.html`, 'utf8');
  const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)[1]);
  assert.deepEqual(scales, data.scale);
});

test('a link holds what is seen, whatever the text', () => {
  const state = {...newState(), text: 'a & b=c #+% "ذهب" 👩‍👩‍👧\n', view: 'links', values: 'always', words: true, shade: true,
    panels: [{...newPanelState('en-de'), told: [{step: 2, source: 0, weight: 1}, {step: 3, source: 1, weight: 0.25}]},
      {...newPanelState('a&model=b'), choice: 2, head: 1}]};
  assert.deepEqual(readLink(writeLink(state)), state);
  assert.match(decodeURIComponent(writeLink(state)), /look=3:1=1,4:2=0\.25/); /* as attend explain --attend reads it */
  assert.deepEqual(readLink(''), newState());
});

test('a link that was spoiled gives what it can', () => {
  const state = readLink('#attend=1:1=1&choice=3&view=cake&values=7&model=m&look=x,0:1=1,3:2=9,99999:1=1&choice=-4&__proto__=1&q=%ff');
  assert.deepEqual(state.panels, [{model: 'm', told: [{step: 2, source: 1, weight: 1}], choice: 0, head: -1}]);
  assert.equal(state.view, 'both');
  assert.deepEqual(readLink('#model=m&attend=2:1=0.5').panels[0].told, [{step: 2, source: 1, weight: 0.5}]); /* an old link */
  assert.equal(readLink(`#${'model=m&'.repeat(50)}`).panels.length, 4);
});

test('tokens are found in their text', () => {
  assert.deepEqual(locate(['▁Das', '▁Haus', '.', '</s>'], 'Das Haus.'), [[0, 3], [4, 8], [8, 9], null]);
  assert.deepEqual(locate(['a', '<unk>', 'b', 'b'], 'a x b b'), [[0, 1], null, [4, 5], [6, 7]]);
  assert.deepEqual(locate(['a', 'c'], 'a b c'), [[0, 1], null]); /* not by jumping over words */
  assert.deepEqual(locate(['the', 'house'], 'The HOUSE'), [[0, 3], [4, 9]]);
  assert.deepEqual(locate(['x y', 'z▁w'], 'x y z w'), [[0, 3], [4, 7]]);
  assert.deepEqual(locate(['h', 'i', ' ', 'x'], 'hi x'), [[0, 1], [1, 2], null, [3, 4]]);
});

test('words are made of pieces', () => {
  assert.deepEqual(piecesOf(['house', 'boat', '</s>'], ['▁hou', 'se', '▁boat', '</s>']), [[0, 1], [2], [3]]);
  assert.equal(piecesOf(['ab', 'c'], ['a', 'bc']), null);
});

test('pieces are shown as people write them', () => {
  assert.deepEqual(readable(['▁Wirt', 'schaft', '▁ist', '▁gut', '.', '</s>']), ['Wirt', '‐schaft', 'ist', 'gut', '.', '</s>']);
  assert.deepEqual(readable(['a', ' ', 'b', '</s>']), ['a', '␣', 'b', '</s>']);
  assert.deepEqual(readable(['h', 'a', 'u', 's', '</s>']), ['h', 'a', 'u', 's', '</s>']);
});

test('unknown words are found in the text that was typed', () => {
  assert.deepEqual(collapse('  a \n b\t c '), {sentence: 'a b\tc', places: [2, 5, 6, 7, 9, 10]});
  assert.deepEqual(collapse(' '), {sentence: '', places: [0]});
  assert.deepEqual(collapse('walk\tV;PST').sentence, 'walk\tV;PST');
  const text = ' a  😀b  c';
  assert.equal(collapse(text).sentence, 'a 😀b c');
  assert.deepEqual(findUnknown(text, [{start: 2, end: 4}]), [{from: 4, to: 7, text: '😀b'}]);
  assert.deepEqual(findUnknown(text, [{start: 5, end: 6}, {start: 0, end: 1}]).map(mark => mark.text), ['a', 'c']);
  assert.deepEqual(findUnknown(text, undefined), []);
  assert.deepEqual(findUnknown('', [{start: 0, end: 1}]), []);
});

test('a vocabulary is filtered by what words begin with, then by what they hold', () => {
  assert.deepEqual(matching(['house', 'the', 'other', '\u2581he'], 'HE'), ['\u2581he', 'the', 'other']);
  assert.deepEqual(matching(['a', 'b'], ' '), ['a', 'b']);
});

const lists = {attentions: [{name: 'none'}, {name: 'additive'}, {name: 'dot'}], cells: [{name: 'gru'}, {name: 'lstm'}]};

test('a link to an experiment holds all of its settings, whatever the task', () => {
  for (const task of Object.keys(TASKS)) {
    const table = TASKS[task].own ? 'a & b\t"c" <d>\nأهلا\tx=y#z' : '';
    const settings = {...usualSettings(task), attention: 'dot', beside: 'none', cell: 'lstm', lr: 0.0125, seed: 77, rates: [[5, 0.001], [70, 0.5]], table};
    assert.deepEqual(readExperiment(writeExperiment(settings), lists), settings, task);
  }
  assert.deepEqual(readExperiment('', lists), usualSettings());
  assert.equal(writeExperiment({...usualSettings('own'), table: 'x'.repeat(30000)}), null);
});

test('a link to an experiment that was spoiled gives what it can', () => {
  const read = readExperiment('#task=cake&hidden=99999&lr=-3&seed=x&from=9&to=2&attention=magic&beside=magic&rates=5:0,x,7:2,8:0.5&__proto__=1', lists);
  assert.deepEqual({...read, from: 1, to: 10, hidden: 64, lr: 0.003, rates: []}, usualSettings());
  assert.deepEqual([read.from, read.to, read.hidden, read.lr], [9, 9, 512, 0.00001]);
  assert.deepEqual(read.rates, [[7, 1], [8, 0.5]]);
});

test('curves have round ticks and keep their shape when they are thinned', () => {
  assert.deepEqual(ticksTo(100), [0, 50, 100]);
  assert.deepEqual(ticksTo(2.6, 3), [0, 1, 2]);
  assert.deepEqual(ticksTo(0.07, 3).map(tick => tick.toFixed(2)), ['0.00', '0.05']);
  const points = Array.from({length: 1000}, (_, i) => [i, 2 * i]), few = thinned(points, 100);
  assert.ok(few.length <= 100 && few.every(([x, y]) => Math.abs(y - 2 * x) < 1e-9));
  assert.equal(thinned(points.slice(0, 50), 100).length, 50);
});
