/* Pages of attend export: files that are opened without a network, on a desk and on a phone. What they must say is what the
 * program says. */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {toWav} from '../../web/recorder.js';
import {accessible, fits} from './access.mjs';
import {PHONE, link, readout, settledFile as settled, shown, until, view} from './drive.mjs';

const program = process.env.ATTEND, work = mkdtempSync(join(tmpdir(), 'attend-export-'));
const root = fileURLToPath(new URL('../..', import.meta.url)), at = name => join(work, name);
const models = execFileSync(program, ['models', '--names'], {encoding: 'utf8'}).trim().split('\n');
const DESK = {viewport: {width: 1280, height: 860}};
const screens = {desk: DESK, phone: PHONE};

const run = (...words) => execFileSync(program, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}).trimEnd();
const made = spawnSync(program, ['export', '--model', models[0], '--html', at('first.html')], {encoding: 'utf8'});
const skip = /attend\.wasm is not there/.test(made.stderr) ? {skip: made.stderr.trim()} : {};
const check = (name, body) => test(name, skip, body);
let browser;

const save = (name, ...words) => run('export', '--html', at(name), ...words);

before(async () => {
  if (skip.skip)
    return;
  for (const model of models)
    save(`${model}.html`, '--model', model);
  save('two.html', '--model', 'hindi-english', '--model', 'english-pronunciation');
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
});
after(async () => {
  await browser?.close();
  rmSync(work, {recursive: true});
});

/* Run `body` on a page that is opened from its file, offline. It must log nothing, throw nothing and ask for nothing but the
 * script of its worker. */
async function on(file, hash, body, options = {}) {
  const context = await browser.newContext({colorScheme: 'light', ...DESK, ...options});
  await context.setOffline(true);
  const page = await context.newPage(), wrong = [], address = pathToFileURL(at(file)).href;
  page.on('console', message => wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (request.url().split('#')[0] !== address && !/^(blob|data):/.test(request.url()))
      wrong.push(`asks ${request.url()}`);
  });
  await page.goto(address + hash);
  await page.waitForSelector('.model option', {state: 'attached'});
  await body(page);
  await context.close();
  assert.deepEqual(wrong, []);
}

const HINDI = 'mai ghar ja raha hoon', SAYS = 'I am going home';
const ink = join(root, 'models', 'handwritten-digits.inkml');

const answers = (...texts) => async (page, model) => {
  for (const text of texts) {
    await page.locator('#text').fill(text);
    await settled(page);
    assert.equal(await shown(page), run('translate', '--model', model, '--', text));
    assert.ok(await page.locator('.grid').first().isVisible());
  }
};

async function reads(page, model) {
  await page.locator('input[type=file]').setInputFiles(ink);
  await settled(page);
  assert.equal(await shown(page), run('translate', '--model', model, '--', ink));
  assert.ok(await page.locator('.framed .picture path').count() > 3);
}

/* What is written can be read. */
async function writes(page) {
  await page.locator('#text').fill('2071');
  await until(page, () => document.querySelector('.hand .rest')?.getAttribute('d'), null, 60000);
  const file = at('written.inkml');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'InkML'}).click()]);
  await download.saveAs(file);
  assert.equal(run('translate', '--model', 'handwritten-digits', '--', file), '2 0 7 1');
}

const tried = {
  dates: answers('le 1er juillet 1987', '3 May 2021'),
  'english-pronunciation': answers('attention', 'bahdanau'),
  'hindi-english': answers(HINDI, 'phool chhote the'),
  'handwritten-digits': reads,
  handwriting: writes,
};

/* ---- Every ready model ---- */

for (const model of models)
  for (const [screen, options] of Object.entries(screens))
    check(`${model} works offline on a ${screen}`, () => on(`${model}.html`, '#q=', async page => {
      await tried[model](page, model);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }, options));

check('a page is as small as is said', () => {
  assert.ok(statSync(at('hindi-english.html')).size < 3e6);
});

/* ---- What people do with it ---- */

check('a link opens with its text translated', () => on('hindi-english.html', link(HINDI), async page => {
  await settled(page);
  assert.equal(await shown(page), SAYS);
  assert.equal(await page.locator('#text').inputValue(), HINDI);
  await page.evaluate(() => { location.hash = '#q=phool%20chhote%20the'; });
  await until(page, () => document.querySelector('.text').textContent === 'the flowers were small');
}));

check('a finger forces a cell, and what the model says changes', () => on('hindi-english.html', link(HINDI, '&view=heatmap'), async page => {
  await settled(page);
  const focus = '4:1=1', told = run('explain', '--model', 'hindi-english', '--attend', focus, '--json', HINDI);
  const box = await page.locator('.grid').first().boundingBox();
  await page.locator('.grid').first().scrollIntoViewIfNeeded();
  const now = await page.locator('.grid').first().boundingBox();
  await page.touchscreen.tap(now.x + 0.5 * box.width / 6, now.y + 3.5 * box.height / 5);
  assert.match(await readout(page), /^home ← mai /);
  await page.getByRole('button', {name: 'Look here'}).tap();
  await page.waitForSelector('.chips li');
  await settled(page);
  assert.equal(await shown(page), JSON.parse(told).after.text);
  assert.equal(await page.locator('.before').innerText(), `Without it: ${SAYS}`);
}, PHONE));

check('models are compared, and each says which words mattered', () => on('two.html', link(HINDI), async page => {
  await settled(page);
  await page.getByRole('button', {name: 'Compare'}).click();
  await until(page, () => document.querySelectorAll('.text')[1]?.textContent);
  assert.deepEqual([await shown(page, 0), await shown(page, 1)],
    ['hindi-english', 'english-pronunciation'].map(model => run('translate', '--model', model, '--', HINDI)));
  await page.getByText('Which words mattered').first().click();
  await page.waitForSelector('.effect table');
  const {leave_one_out: lost} = JSON.parse(run('explain', '--model', 'hindi-english', '--json', HINDI));
  const shownCells = await page.locator('.effect').first().locator('tbody td').allTextContents();
  lost.flat().forEach((x, i) => x === null ? assert.equal(shownCells[i], '–') : assert.ok(Math.abs(x - shownCells[i]) < 0.2, `${x}, ${shownCells[i]}`));
}));

check('pictures and data are saved', () => on('hindi-english.html', link(HINDI), async page => {
  await settled(page);
  for (const [name, file] of [['SVG', 'hindi-english-heatmap.svg'], ['PNG', 'hindi-english-heatmap.png'], ['JSON', 'hindi-english-attention.json']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name, exact: true}).click()]);
    assert.equal(download.suggestedFilename(), file);
    assert.ok(statSync(await download.path()).size > 500);
  }
}));

check('keys are enough', () => on('hindi-english.html', '#q=', async page => {
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type(HINDI);
  await page.keyboard.press('Enter');
  await settled(page);
  const focused = what => page.evaluate(selector => document.activeElement.matches(selector), what);
  const tabTo = async what => {
    for (let i = 0; i < 40 && !await focused(what); i++)
      await page.keyboard.press('Tab');
    assert.ok(await focused(what), what);
  };
  await tabTo('.effect summary');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.effect table');
  await tabTo('#compare');
  await tabTo('.picture');
  for (const key of ['ArrowRight', 'ArrowDown'])
    await page.keyboard.press(key);
  assert.match(await readout(page), /^am ← mai /);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.chips li');
}));

check('a page stays awake while its model works', () => on('english-pronunciation.html', link('incomprehensibilities '.repeat(2)), async page => {
  await settled(page);
  const isThere = () => page.evaluate(() => Boolean(document.querySelector('.effect table')));
  await page.getByText('Which words mattered').click(); /* each of some 40 letters is left out, one after the other */
  let turns = 0;
  while (!await isThere())
    turns++;
  assert.ok(turns > 20, `${turns} turns of the event loop`);
}));

check('right-to-left text runs from right to left, and its heatmap is mirrored', () =>
  on('hindi-english.html', link('ذهب الولد إلى المدرسة'), async page => {
    await settled(page);
    assert.equal(await page.locator('#text').evaluate(node => getComputedStyle(node).direction), 'rtl');
    const x = await page.locator('.top text').evaluateAll(all => all.map(text => text.getBoundingClientRect().right));
    assert.ok(x[0] > x[1] && x[1] > x[2], `${x}`);
  }));

/* ---- Sound, images and arrays: with models that are trained here in a moment, and answer nonsense ---- */

const tone = hertz => toWav(Float32Array.from({length: 4000}, (_, i) => 0.3 * Math.sin(2 * Math.PI * hertz * i / 8000)), 8000);

/* A NumPy array of floats in rows. */
function toNpy(rows) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${rows[0].length}), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from(`\x93NUMPY\x01\x00v\x00${header}`, 'latin1'), Buffer.from(Float32Array.from(rows.flat()).buffer)]);
}

const write = {
  wav: async (path, i) => writeFileSync(path, Buffer.from(await tone(i % 2 ? 1500 : 400).arrayBuffer())),
  image: (path, i) => writeFileSync(path, Buffer.concat([Buffer.from('P5 24 16 255\n'), Buffer.from(Array.from({length: 384}, (_, k) => (k * (i + 3)) % 256))])),
  npy: (path, i) => writeFileSync(path, toNpy(Array.from({length: 6}, (_, t) => [Math.sin(t + i), i % 2, t / 6]))),
};

async function trainReader(reader) {
  const lines = [];
  for (let i = 0; i < 12; i++) {
    await write[reader](at(`${i}.${reader}`), i);
    lines.push(`${i}.${reader}\t${i % 2 ? 'high' : 'low'} end\n`);
  }
  writeFileSync(at(`${reader}.tsv`), lines.join(''));
  run('train', '--train', at(`${reader}.tsv`), '--split', 'none', '--src-tokenizer', reader, '--tgt-tokenizer', 'spaces', '--emb', '8',
    '--hidden', '8', '--threads', '1', '--max-updates', '60', '--lr', '0.01', '--overwrite', '--model', at(`${reader}.safetensors`));
  save(`${reader}.html`, '--float', '--model', at(`${reader}.safetensors`));
}

/* The table shows these weights, rounded; before that, perhaps those of the last file. */
async function becomes(page, weights) {
  const cells = () => page.locator('.table tbody td').allTextContents();
  const same = now => now.length === weights.length && now.every((text, k) => Math.abs(text - weights[k]) < 0.011);
  for (const end = Date.now() + 20000; !same(await cells());) {
    assert.ok(Date.now() < end, `${await cells()} is not ${weights}`);
    await page.waitForTimeout(50);
  }
}

const sound = existsSync(join(dirname(program), 'attend-sound.so'));
for (const reader of ['wav', 'image', 'npy'])
  test(`a model that reads ${reader} works offline`, skip.skip || (reader === 'wav' && !sound) ? {skip: skip.skip ?? 'built without sound'} : {}, async () => {
    await trainReader(reader);
    await on(`${reader}.html`, '', async page => {
      for (const i of [0, 1]) {
        const file = at(`${i}.${reader}`);
        await page.locator('input[type=file]').setInputFiles(file);
        await settled(page);
        const native = JSON.parse(run('translate', '--alignment', 'json', '--model', at(`${reader}.safetensors`), '--', file));
        await page.getByText('Table', {exact: true}).click();
        await becomes(page, native.attention.flat());
        assert.equal(await shown(page), native.text);
        await page.getByText('Table', {exact: true}).click();
      }
    });
  });

check('what the browser decodes is read as well', async () => {
  await trainReader('image');
  await on('image.html', '', async page => {
    const png = await page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), {width: 24, height: 16}), paper = canvas.getContext('2d');
      paper.fillStyle = '#808080';
      paper.fillRect(0, 0, 12, 16);
      return canvas.toDataURL('image/png').split(',')[1];
    });
    await page.locator('input[type=file]').setInputFiles({name: 'half.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64')});
    await settled(page);
    const gray = Buffer.from(Array.from({length: 384}, (_, k) => k % 24 < 12 ? 128 : 255)); /* transparent is white */
    writeFileSync(at('half.pgm'), Buffer.concat([Buffer.from('P5 24 16 255\n'), gray]));
    assert.equal(await shown(page), run('translate', '--model', at('image.safetensors'), '--', at('half.pgm')));
    await page.locator('input[type=file]').setInputFiles({name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no image')});
    await until(page, () => document.querySelector('.called').textContent === 'This browser cannot decode that image');
  });
});

/* ---- Accessibility ---- */

for (const [screen, options] of Object.entries(screens))
  for (const colorScheme of ['light', 'dark'])
    check(`axe finds no violation on a ${screen}, ${colorScheme}`, () => on('two.html', link(HINDI, '&certainty=1'), async page => {
      await settled(page);
      await page.getByText('Which words mattered').first().click();
      await page.locator('.effect table').first().waitFor();
      await page.locator('.others summary').first().click();
      await page.getByRole('button', {name: 'Compare'}).click();
      await until(page, () => document.querySelectorAll('.text')[1]?.textContent);
      await page.locator('#vocabulary summary').click();
      await page.getByText('Table', {exact: true}).first().click();
      await accessible(page, '', 31);
      await fits(page);
    }, {...options, colorScheme}));

check('axe finds no violation where ink is drawn', () => on('handwritten-digits.html', '', async page => {
  await accessible(page);
}));

/* ---- Foreign text ---- */

const HOSTILE = '<img src=x onerror="document.title=1"></script><script>document.title=2</script>';

check('text never becomes markup', async () => {
  save('hostile.html', '--model', 'hindi-english', '--name', HOSTILE, '--title', HOSTILE);
  await on('hostile.html', link(HOSTILE, `&model=${encodeURIComponent(HOSTILE)}`), async page => {
    await settled(page);
    await page.getByText('Which words mattered').click();
    await page.waitForSelector('.effect table');
    assert.equal(await page.title(), HOSTILE);
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('.model option').first().getAttribute('value'), HOSTILE);
  });
});

/* Open a page and say what its policy stopped. */
async function stoppedOn(file, body) {
  const context = await browser.newContext(), page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.stopped = [];
    addEventListener('securitypolicyviolation', event => stopped.push(event.effectiveDirective));
  });
  await page.goto(pathToFileURL(at(file)).href);
  const result = await body(page);
  const stopped = await page.evaluate(() => [...new Set(globalThis.stopped)].sort());
  await context.close();
  return {result, stopped};
}

check('the policy stops markup, scripts, styles and connections that are not the page\'s own', async () => {
  const {result, stopped} = await stoppedOn('hindi-english.html', page => page.evaluate(async () => {
    const node = name => document.head.appendChild(document.createElement(name));
    const attempts = {
      markup: () => { document.body.innerHTML = '<b>x</b>'; },
      script: () => { node('script').text = 'document.title = 3'; },
      handler: () => document.body.setAttribute('onclick', 'document.title = 4'),
      later: () => setTimeout('document.title = 8', 0),
      worker: () => new Worker('data:text/javascript,1'),
      server: () => fetch('https://example.org/'),
      neighbor: () => fetch('other.html'),
      style: () => { node('style').textContent = 'body { color: red }'; },
    };
    const done = [];
    for (const [name, act] of Object.entries(attempts))
      try {
        await act();
        done.push(name);
      } catch { /* refused */ }
    await new Promise(resolve => setTimeout(resolve, 200));
    return {done, color: getComputedStyle(document.body).color, title: document.title};
  }));
  assert.deepEqual(result, {done: ['style'], color: 'rgb(34, 34, 34)', title: 'hindi-english · attend'});
  assert.deepEqual(stopped, ['connect-src', 'require-trusted-types-for', 'style-src-elem']);
});

check('a script that was changed does not run', async () => {
  const whole = readFileSync(at('hindi-english.html'), 'utf8');
  writeFileSync(at('changed.html'), whole.replace('<script type="module">', '<script type="module">document.title = 5;'));
  writeFileSync(at('added.html'), whole.replace('<header>', '<header><script>document.title = 6</script><b onclick="document.title = 7">x</b>'));
  const titleOf = page => page.waitForTimeout(500).then(() => page.title());
  const changed = await stoppedOn('changed.html', titleOf), added = await stoppedOn('added.html', async page => {
    await page.locator('b').first().click();
    return titleOf(page);
  });
  assert.deepEqual(changed, {result: 'hindi-english · attend', stopped: ['script-src-elem']});
  assert.deepEqual(added, {result: 'hindi-english · attend', stopped: ['script-src-attr', 'script-src-elem']});
});

check('a page that may keep nothing works all the same', async () => {
  writeFileSync(at('frame.html'), '<!doctype html><iframe sandbox="allow-scripts" src="hindi-english.html#q=phool%20chhote%20the" width="900" height="700"></iframe>');
  const context = await browser.newContext(), page = await context.newPage(), wrong = [];
  page.on('pageerror', error => wrong.push(error.message));
  await page.goto(pathToFileURL(at('frame.html')).href);
  const inner = page.frameLocator('iframe');
  await inner.locator('.text span').first().waitFor();
  assert.equal(await inner.locator('.text').innerText(), 'the flowers were small');
  await inner.getByRole('button', {name: 'Dark'}).click();
  assert.deepEqual(wrong, []);
  await context.close();
});

check('a damaged page says so', async () => {
  const whole = readFileSync(at('dates.html'), 'utf8');
  writeFileSync(at('damaged.html'), whole.replace(/(id="model-1">.{4000}).{40}/, (_, kept) => kept + 'A'.repeat(40)));
  const context = await browser.newContext(), page = await context.newPage();
  await page.goto(pathToFileURL(at('damaged.html')).href);
  await until(page, () => /^This page is damaged/.test(document.getElementById('about').textContent));
  await context.close();
});
