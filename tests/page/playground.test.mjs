/* The page of attend playground: a file that trains models, without a network, as a person uses it. */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {accessible, fits} from './access.mjs';

const work = mkdtempSync(join(tmpdir(), 'attend-playground-')), file = join(work, 'playground.html');
const made = spawnSync(process.env.ATTEND, ['playground', '--output', file], {encoding: 'utf8'});
const skip = /attend\.wasm is not there/.test(made.stderr) ? {skip: made.stderr.trim()} : {};
const check = (name, body) => test(name, skip, body);
const DESK = {viewport: {width: 1280, height: 900}};
const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};
const SMALL = 'task=reverse&from=1&to=6&hidden=32&emb=16&pairs=1000'; /* learns in a moment */
const PATIENCE = 120000;
let browser;

before(async () => {
  browser = skip.skip ? null : await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
});
after(async () => {
  await browser?.close();
  rmSync(work, {recursive: true});
});

/* Run `body` on the page without a network. It must log nothing, throw nothing and ask nobody. */
async function on(hash, body, options = {}) {
  const context = await browser.newContext({colorScheme: 'light', ...DESK, ...options});
  await context.setOffline(true);
  const page = await context.newPage(), url = pathToFileURL(file).href, wrong = [];
  page.on('console', message => wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (request.url().split('#')[0] !== url && !/^(data|blob):/.test(request.url()))
      wrong.push(`asks ${request.url()}`);
  });
  await page.goto(`${url}${hash && '#'}${hash}`);
  await body(page);
  await context.close();
  assert.deepEqual(wrong, []);
}

async function until(page, holds, argument) {
  for (const end = Date.now() + PATIENCE; !await page.evaluate(holds, argument);) {
    assert.ok(Date.now() < end, `in vain: ${holds}`);
    await page.waitForTimeout(30);
  }
}

const text = (page, selector) => page.locator(selector).first().innerText();
const updates = async page => Number(await text(page, '#counter b'));
const reached = (page, count) => until(page, most => Number(document.querySelector('#counter b')?.textContent) >= most, count);
const isRunning = page => page.evaluate(() => document.querySelector('#play').textContent === 'Pause');
const rests = async page => {
  await reached(page, 1);
  await until(page, () => document.querySelector('#play').textContent !== 'Pause');
};
const pressed = async (page, name) => page.getByRole('button', {name, exact: true}).click();
const curve = (page, id = 'losses') => page.evaluate(of => document.querySelector(`#${of} .curve`)?.getAttribute('d') ?? '', id);
const picture = page => page.evaluate(() => document.querySelector('.map svg').outerHTML);
const tour = async page => {
  await page.getByText('Guided tour').click();
  await until(page, () => document.querySelector('[data-chapter]:not([hidden]) [data-live]').textContent);
};
const chapter = async (page, number) => {
  for (let at = 1; at < number; at++)
    await pressed(page, 'Next');
};
const live = (page, name) => page.evaluate(of =>
  document.querySelector(`[data-chapter]:not([hidden]) [data-live="${of}"]`).textContent, name);

check('training begins by itself, the picture changes, the page never freezes, and ten digits are learned', () => on('', async page => {
  await page.evaluate(() => {
    let last = performance.now();
    globalThis.longest = 0;
    setInterval(() => {
      globalThis.longest = Math.max(globalThis.longest, performance.now() - last);
      last = performance.now();
    }, 10);
  });
  const begun = Date.now();
  await reached(page, 5);
  assert.ok(Date.now() - begun < 10000, 'nobody waits longer for something to move');
  const early = await picture(page), first = Number(await text(page, '#loss'));
  assert.ok(await isRunning(page));
  await reached(page, 40);
  assert.notEqual(await picture(page), early);
  await rests(page);
  assert.ok(Number(await text(page, '#loss')) < first / 5);
  assert.ok(Number.parseInt(await text(page, '#right'), 10) >= 95);
  await page.getByRole('button', {name: '0 1 2 3 4 5 6 7 8 9', exact: true}).click();
  await until(page, () => document.querySelector('#writes dd').textContent.startsWith('9 8 7 6 5 4 3 2 1 0'));
  assert.ok(await page.evaluate(() => globalThis.longest) < 1000);
}));

check('nothing moves by itself for those who prefer it', () => on(SMALL, async page => {
  await until(page, () => document.querySelectorAll('.map .grid').length > 0);
  await page.waitForTimeout(400);
  assert.equal(await updates(page), 0);
  await page.locator('#play').click();
  await reached(page, 3);
}, {reducedMotion: 'reduce'}));

check('it can be paused, stepped, slowed and given another learning rate, which its link has', () => on(SMALL, async page => {
  await reached(page, 3);
  await pressed(page, 'Pause');
  await page.waitForTimeout(1500); /* what was under way is drawn */
  const at = await updates(page);
  await page.waitForTimeout(500);
  assert.equal(await updates(page), at);
  await pressed(page, 'One update');
  await until(page, want => document.querySelector('#counter b').textContent === String(want), at + 1);
  await page.locator('#rate').fill('-2');
  await until(page, () => /rates=/.test(location.hash));
  assert.match(decodeURIComponent(page.url()), new RegExp(`rates=${at + 1}:0\\.01`));
  await page.locator('#speed').selectOption('1');
  await pressed(page, 'Train on');
  await page.waitForTimeout(2500);
  const slow = await updates(page);
  assert.ok(slow > at + 1 && slow <= at + 5, `${slow} after ${at + 1}`);
}));

check('the slider goes back through training, and everything with it', () => on(SMALL, async page => {
  await rests(page);
  const end = await updates(page), now = await picture(page), right = await text(page, '#right');
  assert.equal(await text(page, '#moment-value'), 'now');
  await page.locator('#moment').fill('0');
  await until(page, () => document.querySelector('#moment-value').textContent === 'update 0');
  await until(page, before => document.querySelector('.map svg').outerHTML !== before, now);
  assert.equal(await text(page, '#right'), '0 %');
  assert.equal(await page.locator('#losses .cursor').count(), 1);
  assert.equal(await page.locator('#writes .wrong').count(), 1);
  await page.locator('#moment').fill(String(end));
  await until(page, before => document.querySelector('.map svg').outerHTML === before, now);
  assert.equal(await text(page, '#right'), right);
  assert.equal(await page.locator('#losses .cursor').count(), 0);
}));

check('a link trains the same model again, curve for curve', async () => {
  const link = `${SMALL}&updates=40&seed=7&rates=9:0.01`, seen = [];
  for (const hash of [link, link, link.replace('seed=7', 'seed=8')])
    await on(hash, async page => {
      await rests(page);
      seen.push({losses: await curve(page), rights: await curve(page, 'rights'), link: page.url(), now: await text(page, '#loss')});
    });
  assert.deepEqual(seen[1], seen[0]);
  assert.notEqual(seen[2].losses, seen[0].losses);
  assert.match(decodeURIComponent(seen[0].link), /seed=7.*rates=9:0\.01$/);
  await on(seen[0].link.split('#')[1], async page => {
    await rests(page);
    assert.equal(await curve(page), seen[0].losses);
  });
});

check('a model without attention beside one with it falls at long sequences', () => on('task=shift&from=1&to=20&hidden=48&beside=none&symbols=26&updates=400', async page => {
  await rests(page);
  assert.deepEqual(await page.locator('#legend li').allInnerTexts(), ['additive', 'none']);
  assert.equal(await page.locator('#rights .curve').count(), 2);
  const [a, b] = await page.evaluate(() => ['a', 'b'].map(kind => [...document.querySelectorAll(`#lengths .bar.${kind}`)]
    .map(bar => Number(bar.getAttribute('height')))));
  assert.equal(a.length, 6);
  assert.ok(a[2] > b[2] + 20 && b[0] > 30, `${a} | ${b}`);
  assert.equal(await page.locator('#writes dt').count(), 2);
  await tour(page);
  assert.equal(await live(page, 'name-b'), 'none');
  assert.match(await live(page, 'long-a'), /^\d+ %$/);
  assert.equal(await live(page, 'long-b'), '0 %');
}));

check('a forced weight changes what is written, and can be let go', () => on(SMALL, async page => {
  await rests(page);
  const free = await text(page, '#writes dd bdi'), grid = await page.locator('.map .grid').first().boundingBox();
  await page.mouse.click(grid.x + 5, grid.y + 5); /* the first step looks at the first word */
  await until(page, () => !document.querySelector('#forced').hidden);
  assert.match(await text(page, '#forced'), /^Forced: step 1 looks at /);
  assert.equal(await page.locator('.map .told circle').count(), 1);
  assert.notEqual(await text(page, '#forced b'), free);
  await pressed(page, 'Let it choose again');
  await until(page, () => document.querySelector('#forced').hidden);
}));

check('a finger can force a weight, and lines show the same', () => on(SMALL, async page => {
  await rests(page);
  assert.ok(await page.locator('#here').isHidden());
  assert.equal(await page.locator('.readout').getAttribute('data-hint'), 'Tap a cell, then Look here');
  await page.locator('.map svg').first().evaluate(svg => svg.scrollIntoView({block: 'center'}));
  const grid = await page.locator('.map .grid').first().boundingBox();
  await page.touchscreen.tap(grid.x + 5, grid.y + 5);
  await page.locator('#here').tap();
  await until(page, () => !document.querySelector('#forced').hidden);
  assert.match(await text(page, '#forced'), /^Forced: step 1 looks at /);
  await page.getByText('Lines', {exact: true}).tap();
  await until(page, () => document.querySelectorAll('.map .links path').length > 2);
  assert.equal(await page.locator('.map .links .told').count(), 1);
}, PHONE));

check('scores, gates and norms of any step can be opened', () => on(SMALL, async page => {
  await rests(page);
  await page.getByText('Gates', {exact: true}).click();
  await pressed(page, 'Later step');
  assert.match(await text(page, '#step-title'), /^Step 2 of \d+$/);
  assert.deepEqual((await page.locator('.gate span').allInnerTexts()).map(line => line.split(/\s/)[0]), ['candidate', 'reset', 'update']);
  const rows = await page.locator('#scores tbody tr').evaluateAll(all => all.map(row => [...row.cells].slice(1).map(cell => Number(cell.textContent))));
  const powers = rows.map(([score]) => Math.exp(score)), sum = powers.reduce((a, b) => a + b);
  rows.forEach(([, weight], j) => assert.ok(Math.abs(weight - powers[j] / sum) < 0.02));
  assert.match(await text(page, '#norms'), /\|s\|\s*\d+\.\d\d\s*\|q\|\s*\d+\.\d\d\s*\|c\|\s*\d+\.\d\d/);
  const before = await picture(page);
  await page.locator('#picture').getByText('Scores before the softmax').click();
  await until(page, old => document.querySelector('.map svg').outerHTML !== old, before);
}));

/* The numbers of the chapters are those of the rest of the page. Ends at the last chapter. */
async function told(page) {
  while (!await page.locator('#earlier').isDisabled())
    await pressed(page, 'Back');
  const norms = (await text(page, '#norms')).match(/[\d.]+/g), [, step] = /^Step (\d+)/.exec(await text(page, '#step-title'));
  const weights = await page.locator('#scores tbody tr').evaluateAll(rows => rows.map(row => row.cells[2].textContent));
  const scores = await page.locator('#scores tbody tr').evaluateAll(rows => rows.map(row => Number(row.cells[1].textContent)));
  const wants = [{update: await text(page, '#counter b')}, {step, 'state-norm': norms[0], 'query-norm': norms[1]},
    {'best-score': Math.max(...scores).toFixed(2)}, {step}, {'best-weight': Math.max(...weights.map(Number)).toFixed(2), 'context-norm': norms[2]},
    {probability: /probability ([\d.]+)/.exec(await text(page, '#step-says'))[1]}, {'shown-loss': await text(page, '#loss')}, {step}];
  for (const want of wants) {
    for (const [name, value] of Object.entries(want))
      assert.equal(Number(await live(page, name)).toFixed((value.split('.')[1] ?? '').length), value, name);
    await pressed(page, 'Next');
  }
}

check('every chapter of the tour has numbers of the model that runs', () => on(SMALL, async page => {
  await rests(page);
  await tour(page);
  for (let number = 1; number <= 9; number++) {
    const names = await page.locator('[data-chapter]:not([hidden]) [data-live]').evaluateAll(all => all.map(node => [node.dataset.live, node.textContent]));
    const without = /^(long|short)-b$|^name-b$|^(after|log-|needed|tau)/; /* before its button is pressed */
    assert.ok(names.length && names.every(([name, value]) => value && value !== '–' || without.test(name)), String(names));
    if (number < 9)
      await pressed(page, 'Next');
  }
  await told(page);
  await pressed(page, 'Later step');
  await told(page);
  await pressed(page, 'Leave out each word');
  await until(page, () => document.querySelectorAll('[data-figure="leave-one-out"] .bar-row').length > 1);
  assert.match(await live(page, 'tau'), /^-?\d\.\d\d$/);
  await pressed(page, 'Back');
  await page.locator('[data-act="force"]').click();
  await until(page, () => /^-/.test(document.querySelector('[data-live="log-after"]').textContent));
  assert.ok(Number(await live(page, 'log-after')) < Number(await live(page, 'log-before')));
  await pressed(page, 'Back');
  await pressed(page, 'Before training');
  await until(page, () => document.querySelector('[data-chapter]:not([hidden]) [data-live="shown-update"]').textContent === '0');
  await pressed(page, 'Now');
  await until(page, () => document.querySelector('[data-chapter]:not([hidden]) [data-live="shown-looks"]').textContent === '100 %');
}));

check('a score that is dragged changes the weights, which sum to 1', () => on(SMALL, async page => {
  await rests(page);
  await tour(page);
  await chapter(page, 4);
  const shares = () => page.locator('.slider .share').evaluateAll(all => all.map(node => Number(node.textContent)));
  const model = await shares();
  await page.locator('.slider input').first().focus();
  for (let i = 0; i < 5; i++)
    await page.keyboard.press('PageUp');
  const dragged = await shares();
  assert.ok(dragged[0] > model[0]);
  assert.ok(Math.abs(dragged.reduce((a, b) => a + b) - 1) < 0.01);
  await pressed(page, 'Add 1 to all');
  assert.deepEqual(await shares(), dragged);
  for (const input of await page.locator('.slider input').all())
    await input.fill('2');
  for (const share of await shares())
    assert.ok(Math.abs(share - 1 / dragged.length) < 0.001);
  await pressed(page, 'As the model has them');
  assert.deepEqual(await shares(), model);
}));

check('the keyboard is enough', () => on(SMALL, async page => {
  await reached(page, 2);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
  const tabTo = async id => {
    for (let i = 0; i < 80 && await focused() !== id; i++)
      await page.keyboard.press('Tab');
    assert.equal(await focused(), id);
  };
  await tabTo('play');
  await page.keyboard.press('Space');
  await until(page, () => document.querySelector('#play').textContent === 'Train on');
  await page.keyboard.press('Space');
  await until(page, () => document.querySelector('#play').textContent === 'Pause');
  await rests(page);
  await tabTo('moment');
  await page.keyboard.press('Home');
  await until(page, () => document.querySelector('#moment-value').textContent === 'update 0');
  await page.keyboard.press('End');
  await tabTo('sentence');
  await page.keyboard.type('5 5 1');
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('#writes dd').textContent.startsWith('1 5 5'));
  await tabTo('svg');
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter'])
    await page.keyboard.press(key);
  await until(page, () => !document.querySelector('#forced').hidden);
}));

const HOSTILE = '<img src=x onerror="globalThis.owned=1">', SCRIPT = '</script><script>globalThis.owned=2</script>';

check('pasted pairs with markup and from right to left are text, and nothing else', () => on('', async page => {
  await page.locator('#f-task').selectOption('own');
  const lines = Array.from({length: 40}, (_, i) => `${HOSTILE.replaceAll(' ', '_')} مرحبا ${i % 7}\t${SCRIPT.replaceAll(' ', '_')} שלום ${i % 7}`);
  await page.locator('#table').fill([...lines, 'no tab here', '{{x}}\t${y} <b>bold</b>'].join('\n'));
  await page.locator('#form').getByRole('button', {name: 'Train'}).click();
  await until(page, () => /مرحبا/.test(document.querySelector('#chosen')?.textContent));
  await reached(page, 10);
  await page.locator('#sentence').fill(`${HOSTILE} مرحبا 3`);
  await page.keyboard.press('Enter');
  await until(page, () => document.querySelector('#chosen').textContent.includes('<img src=x'));
  await tour(page);
  await chapter(page, 4);
  assert.equal(await page.locator('main img, main script, main b:has(> i)').count(), 0);
  assert.equal(await page.evaluate(() => globalThis.owned), undefined);
  assert.ok(await page.locator('.map .words text', {hasText: 'مرحبا'}).count() > 0);
  await on(page.url().split('#')[1], async again => { /* and so does the link that has them */
    await reached(again, 5);
    assert.equal(await again.locator('#table').inputValue(), await page.locator('#table').inputValue());
    assert.equal(await again.evaluate(() => globalThis.owned), undefined);
  });
}));

check('a mistake in the settings or the pairs is said, and the next run is fine', () => on('task=own&table=nothing', async page => {
  await page.locator('#trouble').waitFor();
  assert.match(await text(page, '#trouble'), /too few pairs/);
  await page.locator('#f-task').selectOption('sort');
  await reached(page, 3);
  assert.ok(await page.locator('#trouble').isHidden());
  await page.locator('#f-hidden').fill('7');
  await page.keyboard.press('Enter');
  await until(page, () => /hidden=7/.test(location.hash));
  await reached(page, 3);
}));

for (const task of ['sort', 'dates', 'hindi', 'pronounce'])
  check(`${task} trains, with right answers known to the page`, () => on(`task=${task}&pairs=600&hidden=24&emb=16&updates=30`, async page => {
    await rests(page);
    assert.ok(await page.locator('#chosen button').count() === 3);
    assert.match(await text(page, '#right'), /^\d+ %$/);
  }));

for (const [screen, options] of Object.entries({desk: DESK, phone: PHONE}))
  for (const colorScheme of ['light', 'dark'])
    check(`axe finds no violation, and nothing is too wide: ${screen}, ${colorScheme}`, () => on(`${SMALL}&beside=none&updates=60`, async page => {
      await rests(page);
      await page.getByText('Gates', {exact: true}).click();
      const look = async where => {
        await accessible(page, where, 21);
        await fits(page, where);
      };
      await look('experiment');
      await tour(page);
      for (let number = 1; number <= 9; number++) {
        await look(`chapter ${number}`);
        if (number < 9)
          await pressed(page, 'Next');
      }
    }, {...options, colorScheme}));
