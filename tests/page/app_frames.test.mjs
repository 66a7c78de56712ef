/* The page of attend serve for models that read ink, sound and images, and for one that writes: against the real server,
 * with models that are trained here in a moment. They answer nonsense; what the page shows is what the server says. */
import assert from 'node:assert/strict';
import {execFile, spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {promisify} from 'node:util';
import {chromium} from 'playwright-core';
import {readout} from './drive.mjs';
import {toWav} from '../../web/recorder.js';
import {toInkml} from '../../web/pen.js';

const program = process.env.ATTEND, beside = name => program && existsSync(join(dirname(program), name));
const all = ['attend-serve.so', 'attend-sound.so'].every(beside), skip = all ? {} : {skip: 'built without serving or sound'};
const work = mkdtempSync(join(tmpdir(), 'attend-page-')), at = name => join(work, name);
let server, url, browser;

/* ---- Small models ---- */

const hook = k => [{x: 0, y: 0}, {x: 10 + k, y: 0}, {x: 10 + k, y: 20}], bar = k => [{x: 0, y: 30 + k}, {x: 0, y: 0}];
const tone = hertz => toWav(Float32Array.from({length: 4000}, (_, i) => 0.3 * Math.sin(2 * Math.PI * hertz * i / 8000)), 8000);

async function writeCorpus() {
  const tables = {ink: [], wav: [], pgm: [], hand: []};
  for (let i = 0; i < 12; i++) {
    const word = i % 2 ? 'high' : 'low';
    writeFileSync(at(`${i}.ink`), toInkml([i % 2 ? hook(i) : bar(i)]));
    writeFileSync(at(`${i}.wav`), Buffer.from(await tone(i % 2 ? 1500 : 400).arrayBuffer()));
    writeFileSync(at(`${i}.pgm`), Buffer.concat([Buffer.from('P5 24 16 255\n'), Buffer.alloc(384, i % 2 ? 20 : 220)]));
    for (const kind of ['ink', 'wav', 'pgm'])
      tables[kind].push(`${i}.${kind}\t${word} end\n`);
    tables.hand.push(`${'/L'[i % 2]}\t${i}.ink\n`);
  }
  for (const [kind, lines] of Object.entries(tables))
    writeFileSync(at(`${kind}.tsv`), lines.join(''));
}

function train(model, table, source, target, ...more) {
  return promisify(execFile)(program, ['train', '--train', at(`${table}.tsv`), '--split', 'none', '--src-tokenizer', source,
    '--tgt-tokenizer', target, '--emb', '8', '--hidden', '8', '--threads', '1', '--model', at(`${model}.safetensors`), ...more]);
}

async function serve() {
  const models = ['pen', 'ear', 'scene', 'line', 'hand'].flatMap(name => ['--model', at(`${name}.safetensors`)]);
  server = spawn(program, ['serve', '--port', '0', '--threads', '1', '--access-log', at('access'), ...models]);
  url = await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', bytes => {
      said += bytes;
      const found = /serving at (http:\S*\d)\//.exec(said);
      if (found)
        resolve(found[1]);
    });
    server.on('exit', () => reject(new Error(said)));
  });
}

before(async () => {
  if (!all)
    return;
  await writeCorpus();
  await train('pen', 'ink', 'ink', 'spaces', '--max-updates', '3');
  await train('ear', 'wav', 'wav', 'spaces', '--max-updates', '3', '--encoder-layers', '2', '--pyramid', '1');
  await train('scene', 'pgm', 'image', 'spaces', '--max-updates', '3', '--image-layout', 'patches', '--image-patch', '8');
  await train('line', 'pgm', 'image', 'spaces', '--max-updates', '3');
  await train('hand', 'hand', 'char', 'ink', '--max-updates', '300', '--lr', '0.01');
  await serve();
  browser = await chromium.launch({executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']});
});
after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(work, {recursive: true, force: true});
});

/* Run `body` on the page for a model; the page logs nothing and asks nobody else. */
async function on(hash, body, {init, excused = /^$/, ...options} = {}) {
  const context = await browser.newContext({viewport: {width: 1280, height: 860}, colorScheme: 'light', ...options});
  const page = await context.newPage(), wrong = [];
  page.on('console', message => excused.test(message.text()) || wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => request.url().startsWith(url) || /^(data|blob):/.test(request.url()) || wrong.push(request.url()));
  if (init)
    await page.addInitScript(init);
  await page.goto(`${url}/${hash}`);
  await page.waitForSelector('.model option', {state: 'attached'});
  await body(page);
  await context.close();
  assert.deepEqual(wrong, []);
}

async function until(page, holds, argument) {
  for (const end = Date.now() + 10000; !await page.evaluate(holds, argument);) {
    assert.ok(Date.now() < end, `in vain: ${holds}`);
    await page.waitForTimeout(30);
  }
}

async function ask(model, name, fields = {}) {
  const form = new FormData(), {readFileSync} = await import('node:fs');
  for (const [field, value] of Object.entries({model, ...fields}))
    form.set(field, value);
  form.set('file', new Blob([readFileSync(at(name))]), name);
  const response = await fetch(`${url}/attention`, {method: 'POST', body: form});
  assert.equal(response.status, 200);
  return response.json();
}

async function draw(page, points) {
  const box = await page.locator('.pad canvas').boundingBox();
  await page.mouse.move(box.x + points[0][0], box.y + points[0][1]);
  await page.mouse.down();
  for (const [x, y] of points.slice(1))
    await page.mouse.move(box.x + x, box.y + y, {steps: 5});
  await page.mouse.up();
}

const choose = (page, name) => page.locator('#upload input[type=file]').setInputFiles(at(name));
const text = page => page.locator('.text').innerText();
const answered = page => until(page, () => !document.querySelector('figure').hidden); /* the answer may be empty */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name, exact: true}).click()]);
  const {readFileSync} = await import('node:fs');
  return readFileSync(await download.path(), 'latin1');
}

/* ---- Ink ---- */

test('what is drawn is read, stroke by stroke; a stroke can be taken back', skip, () => on('#model=pen', async page => {
  assert.ok(await page.locator('#text').isHidden());
  assert.match(await page.locator('.called').innerText(), /Draw here/);
  await draw(page, [[40, 30], [80, 30], [80, 100]]);
  await answered(page);
  assert.equal(await page.locator('.called').innerText(), '1 stroke');
  const paths = await page.locator('.framed .ink path').count();
  await draw(page, [[120, 30], [120, 100]]);
  await until(page, before => document.querySelectorAll('.framed .ink path').length > before, paths);
  await page.getByRole('button', {name: 'Undo'}).click();
  await until(page, before => document.querySelectorAll('.framed .ink path').length === before, paths);
  await page.locator('.pad canvas').press('Escape');
  await until(page, () => document.querySelector('figure').hidden);
  assert.equal(await text(page), '');
}));

test('a finger draws too, on a phone', skip, () => on('#model=pen', async page => {
  await page.locator('.pad canvas').dispatchEvent('pointerdown',
    {pointerId: 1, pointerType: 'touch', button: 0, isPrimary: true, clientX: 60, clientY: 140});
  const canvas = page.locator('.pad canvas');
  await canvas.dispatchEvent('pointermove', {pointerId: 1, pointerType: 'touch', clientX: 120, clientY: 200});
  await canvas.dispatchEvent('pointerup', {pointerId: 1, pointerType: 'touch', clientX: 120, clientY: 200});
  await answered(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
}, {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true,
  init: () => { HTMLElement.prototype.setPointerCapture = () => {}; /* the pointer is not a real one */ }}));

test('pointing at a word tells where it looked', skip, () => on('#model=pen', async page => {
  await choose(page, '1.ink');
  await answered(page);
  const {source, target, attention, text: want} = await ask('pen', '1.ink');
  assert.equal(await text(page), want);
  const most = attention[0].indexOf(Math.max(...attention[0]));
  await page.locator('.framed .words text').first().hover();
  assert.ok((await readout(page)).startsWith(`${target[0]} ← ${source[most]} ${attention[0][most].toFixed(3)}`), await readout(page));
  assert.equal(await page.locator('.framed .words .lit').count(), 1);
  await page.locator('.framed svg').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.ok((await readout(page)).startsWith(`${target[1]} ← `), await readout(page));
}));

/* ---- Forced attention ---- */

/* What the server answers to a click at x, y of the picture. */
async function askedBy(page, x, y) {
  const [response] = await Promise.all([page.waitForResponse(one => one.url().endsWith('/attention')), page.mouse.click(x, y)]);
  return response.json();
}

/* That the first word attends to one column alone; returns the column. */
function columnOf({attention}) {
  const column = attention[0].indexOf(1);
  assert.ok(column >= 0, String(attention[0]));
  return column;
}

async function middleOf(locator) {
  const {x, y, width, height} = await locator.boundingBox();
  return [x + width / 2, y + height / 2];
}

const chips = page => page.locator('.chips li > span').allInnerTexts();

test('a click on a word and one on the ink make the word look there', skip, () => on('#model=pen', async page => {
  await choose(page, '1.ink');
  await answered(page);
  const word = page.locator('.framed .words text').first(), end = page.locator('.framed .ink path').last();
  await word.click();
  await page.mouse.move(0, 0);
  assert.equal(await page.locator('.framed .words .lit').count(), 1);
  const answer = await askedBy(page, ...await middleOf(end)), column = columnOf(answer);
  await until(page, () => document.querySelectorAll('.framed .told circle').length === 1);
  assert.ok(column >= answer.source.length - 2, `column ${column} of ${answer.source.length}`);
  assert.deepEqual(await chips(page), [`step 1 looks at ${answer.source[column]}`]);
  assert.equal(await text(page), answer.text);
  const direct = await ask('pen', '1.ink', {attend: JSON.stringify([{step: 0, source: column, weight: 1}])});
  assert.deepEqual(direct.attention[0], answer.attention[0]);
  await word.click();
  await page.mouse.click(...await middleOf(end));
  await until(page, () => document.querySelectorAll('.framed .told circle').length === 0);
  assert.deepEqual(await chips(page), []);
}));

test('a held word is let go by Escape, by another click, and by another file', skip, () => on('#model=pen', async page => {
  await choose(page, '1.ink');
  await answered(page);
  const word = page.locator('.framed .words text').first(), lit = () => page.locator('.framed .words .lit').count();
  for (const letGo of [() => page.keyboard.press('Escape'), () => word.click()]) {
    await word.click();
    await page.mouse.move(0, 0);
    assert.equal(await lit(), 1);
    await letGo();
    await page.mouse.move(0, 0);
    assert.equal(await lit(), 0);
  }
  await page.locator('.framed svg').focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowUp', 'Enter'])
    await page.keyboard.press(key);
  await until(page, () => document.querySelectorAll('.chips li').length === 1);
  await choose(page, '0.ink');
  await until(page, () => document.querySelectorAll('.chips li').length === 0);
}));

test('a click in the row of a word, or on the spectrogram, makes it listen there', skip, () => on('#model=ear', async page => {
  await choose(page, '1.wav');
  await answered(page);
  const row = await page.locator('.framed image').nth(2).boundingBox();
  const answer = await askedBy(page, row.x + 0.5 * row.width, row.y + 5), column = columnOf(answer);
  assert.ok(Math.abs(column - answer.source.length / 2) <= 1, `column ${column} of ${answer.source.length}`);
  await until(page, () => document.querySelectorAll('.framed .told circle').length === 1);
  await page.locator('.framed .words text').first().click();
  const strip = await page.locator('.framed image').first().boundingBox();
  const next = await askedBy(page, strip.x + 0.9 * strip.width, strip.y + 20);
  assert.ok(columnOf(next) > column);
  await until(page, () => document.querySelectorAll('.framed .told circle').length === 1);
}));

test('a click on a patch in the image of a word makes it look there', skip, () => on('#model=scene', async page => {
  await choose(page, '1.pgm');
  await answered(page);
  const tile = await page.locator('.framed .tile').nth(1).boundingBox();
  const answer = await askedBy(page, tile.x + 0.8 * tile.width, tile.y + 0.2 * tile.height);
  assert.equal(columnOf(answer), 2); /* three patches across */
  await until(page, () => document.querySelectorAll('.framed .told circle').length === 1);
}));

test('on a phone one taps the word, the ink, and a button', skip, () => on('#model=pen', async page => {
  await choose(page, '1.ink');
  await answered(page);
  await page.locator('.framed .words text').first().tap();
  assert.ok(await page.locator('.look').isHidden());
  await page.touchscreen.tap(...await middleOf(page.locator('.framed .ink path').last()));
  await page.locator('.look').tap();
  await until(page, () => document.querySelectorAll('.chips li').length === 1);
}, {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true}));

/* ---- Sound ---- */

test('a recording is a spectrogram with a row of weights for each word', skip, () => on('#model=ear', async page => {
  await choose(page, '1.wav');
  await answered(page);
  const {target, text: want, frames} = await ask('ear', '1.wav');
  assert.equal(await text(page), want);
  assert.equal(await page.locator('.framed image').count(), 2 + target.length);
  assert.ok((await page.locator('.framed .numbers').textContent()).endsWith('seconds'));
  const picture = await page.locator('.framed image').first().boundingBox();
  await page.mouse.move(picture.x + picture.width / 2, picture.y + 20);
  assert.match(await readout(page), /^0\.\d\ds → /);
  assert.equal(frames.each, 2);
  assert.match(await saved(page, 'SVG'), /^<\?xml[^]*seconds/);
  assert.ok(JSON.parse(await saved(page, 'JSON')).frames.positions.length > 1);
}));

test('the microphone records', skip, () => on('#model=ear', async page => {
  await page.getByRole('button', {name: 'Record'}).click();
  await until(page, () => document.querySelector('.record span').textContent === 'Stop');
  await page.waitForTimeout(400);
  await page.getByRole('button', {name: 'Stop'}).click();
  await answered(page);
  assert.equal(await page.locator('.called').innerText(), 'What you recorded');
}, {permissions: ['microphone']}));

test('without a microphone or a secure page there is a sentence, and files still work', skip, async () => {
  await on('#model=ear', async page => {
    await page.getByRole('button', {name: 'Record'}).click();
    await until(page, () => /choose a file/.test(document.querySelector('.called').textContent));
    await choose(page, '0.wav');
    await answered(page);
  }, {init: () => { navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotFoundError'); }; }});
  await on('#model=ear', async page => {
    assert.ok(await page.getByRole('button', {name: 'Record'}).isDisabled());
    assert.match(await page.locator('.called').innerText(), /only on secure pages/);
  }, {init: () => Object.defineProperty(window, 'isSecureContext', {value: false})});
});

/* ---- Images ---- */

test('an image is shown once for each word, a line of writing as a strip', skip, () => on('#model=scene', async page => {
  await choose(page, '1.pgm');
  await answered(page);
  const {target} = await ask('scene', '1.pgm');
  assert.equal(await page.locator('.framed .tile').count(), 1 + target.length);
  const tile = await page.locator('.framed .tile').nth(1).boundingBox();
  await page.mouse.move(tile.x + 5, tile.y + 5);
  assert.match(await readout(page), new RegExp(`^${target[0]} ← `));
  await page.locator('.model').selectOption('line');
  await until(page, () => document.querySelector('.framed .numbers')?.textContent.endsWith('pixels'));
}));

/* ---- Writing ---- */

test('a text is written by a pen that moves', skip, () => on('#model=hand&q=L', async page => {
  await until(page, () => !document.querySelector('.hand').hidden && document.querySelector('.rest').getAttribute('d'));
  assert.ok(await page.locator('#upload').isHidden());
  assert.deepEqual(await page.locator('.tokens span').allTextContents(), ['L', '</s>']);
  const drawn = () => page.locator('.hand .rest').getAttribute('d');
  const first = await drawn();
  await page.getByRole('button', {name: 'Write again'}).click();
  await until(page, before => document.querySelector('.hand .rest').getAttribute('d') !== before, first);
  assert.match(await page.locator('.facts').innerText(), /seed 2/);
  await until(page, () => document.querySelector('.play').textContent === 'Play');
  assert.equal(await page.locator('.hand .written').getAttribute('d'), await drawn());
  await page.locator('.moves input').fill('0');
  assert.equal(await page.locator('.hand .written').getAttribute('d'), '');
  assert.match(await saved(page, 'InkML'), /<annotation type="truth">L</);
}));

/* ---- Together ---- */

test('another model brings its own source, and only models of one kind stand side by side', skip, () => on('#model=pen', async page => {
  await page.getByRole('button', {name: 'Compare'}).click();
  assert.equal(await page.locator('.panel').count(), 2);
  assert.deepEqual(await page.locator('.model').evaluateAll(list => list.map(node => node.value)), ['pen', 'pen']);
  await page.locator('.model').last().selectOption('hand');
  assert.equal(await page.locator('.panel').count(), 1);
  assert.ok(await page.locator('#text').isVisible());
  await page.locator('.model').selectOption('ear');
  assert.ok(await page.getByRole('button', {name: 'Record'}).isVisible());
}));

test('what the server refuses is said in its words', skip, () => on('#model=ear', async page => {
  await choose(page, '1.ink');
  await until(page, () => /1\.ink: is not sound/.test(document.querySelector('.trouble').textContent));
}, {excused: /400/}));
