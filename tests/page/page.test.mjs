/* The page in a real browser: SAMPLES is the folder that samples.c filled, CHROMIUM the browser. */
import assert from 'node:assert/strict';
import {readdirSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {until} from './drive.mjs';

const folder = pathToFileURL(process.env.SAMPLES).href;
const DESK = {viewport: {width: 1200, height: 800}};
const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};
let browser;

before(async () => {
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
});
after(() => browser.close());

/* Run `body` on a page, which must log nothing, throw nothing and fetch nothing but itself. */
async function on(name, body, options = DESK) {
  const context = await browser.newContext({colorScheme: 'light', ...options});
  const page = await context.newPage(), url = `${folder}/${name}`, wrong = [];
  page.on('console', message => wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (request.url().split('#')[0] !== url.split('#')[0] && !request.url().startsWith('data:'))
      wrong.push(`fetches ${request.url()}`);
  });
  await page.goto(url);
  await body(page);
  await context.close();
  assert.deepEqual(wrong, [], name);
}

/* The middle of a cell, in pixels of the window. */
async function cell(page, t, s, T, S) {
  const box = await page.locator('.grid').boundingBox();
  return [box.x + (s + 0.5) * box.width / S, box.y + (t + 0.5) * box.height / T];
}

const readout = async page => (await page.locator('.readout').first().innerText()).replace(/\s+/g, ' ').trim();
const lit = page => page.locator('.words .lit').allTextContents();
const view = (page, name) => page.getByRole('radio', {name}).check({force: true});
const theme = page => page.evaluate(() => document.documentElement.dataset.theme);

test('pointing at a cell says its words and its weight', () => on('known.html', async page => {
  assert.equal(await page.title(), 'Known weights');
  for (const [t, s, want, words] of [
    [0, 0, 'red ← rot 0.875', ['rot', 'red']],
    [1, 2, 'blue ← blau 0.938', ['blau', 'blue']],
    [0, 1, 'red ← grün 0.100', ['grün', 'red']],
    [1, 1, 'blue ← grün -', ['grün', 'blue']],
  ]) {
    await page.mouse.move(...await cell(page, t, s, 2, 3));
    assert.equal(await readout(page), want);
    assert.deepEqual(await lit(page), words);
  }
  await page.mouse.move(1190, 790);
  assert.equal(await readout(page), '');
  assert.deepEqual(await lit(page), []);
}));

test('pointing at a word of the heatmap says what it has most to do with', () => on('known.html', async page => {
  await page.locator('.words text', {hasText: 'red'}).hover();
  assert.equal(await readout(page), 'red ← rot 0.875 grün 0.100 blau 0.025');
  await page.locator('.words text', {hasText: 'blau'}).hover();
  assert.equal(await readout(page), 'blau → blue 0.938 red 0.025');
}));

test('slanted labels are found where they are seen', () => on('french.html', async page => {
  for (const word of ['agreement', 'European', 'signed', '1992']) {
    await page.locator('.words text', {hasText: word}).first().hover();
    assert.match(await readout(page), new RegExp(`^${word} → `));
  }
}));

test('arrow keys walk over the cells', () => on('known.html', async page => {
  await page.locator('svg').focus();
  for (const [key, want] of [['ArrowRight', 'red ← rot 0.875'], ['ArrowRight', 'red ← grün 0.100'],
    ['ArrowDown', 'blue ← grün -'], ['End', 'blue ← blau 0.938'], ['ArrowRight', 'blue ← blau 0.938'],
    ['ArrowUp', 'red ← blau 0.025'], ['Home', 'red ← rot 0.875'], ['Escape', '']]) {
    await page.keyboard.press(key);
    assert.equal(await readout(page), want, key);
  }
}));

test('a tap says the same', () => on('known.html', async page => {
  await page.touchscreen.tap(...await cell(page, 1, 2, 2, 3));
  assert.equal(await readout(page), 'blue ← blau 0.938');
}, PHONE));

test('a cell has the color of its weight', () => on('known.html', async page => {
  const scale = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).scale.light);
  const fills = await page.locator('svg path[fill]').evaluateAll(all => all.map(path => path.getAttribute('fill')));
  assert.deepEqual(new Set(fills), new Set([0.875, 0.1, 0.025, 0.0625, 0.9375]
    .map(weight => scale.steps[Math.round(64 * weight)]).concat(scale.none)));
}));

test('lines show what a word attended, from both sides', () => on('known.html', async page => {
  await view(page, 'Lines');
  assert.equal(await page.locator('.links:not(.lit) path').count(), 4); /* of 0.05 and more */
  await page.locator('.word', {hasText: 'red'}).hover();
  assert.equal(await readout(page), 'red ← rot 0.875 grün 0.100 blau 0.025');
  assert.equal(await page.locator('.links.lit path').count(), 3);
  assert.deepEqual(await page.locator('.word.tinted').allTextContents(), ['rot', 'grün', 'blau']);
  await page.locator('.word', {hasText: 'rot'}).hover();
  assert.equal(await readout(page), 'rot → red 0.875 blue 0.063');
  const widths = await page.locator('.links.lit path')
    .evaluateAll(all => all.map(path => +path.getAttribute('stroke-width')));
  assert.ok(widths[0] > 3 * widths[1]);
  await page.locator('svg').focus();
  await page.mouse.move(1190, 790);
  await page.keyboard.press('ArrowRight');
  assert.match(await readout(page), /^red ← /);
  await page.keyboard.press('ArrowUp');
  assert.match(await readout(page), /^rot → /);
}));

test('salience sums over the targets', () => on('known-salience.html', async page => {
  assert.ok(await page.getByRole('radio', {name: 'Salience'}).isChecked());
  assert.deepEqual(await page.locator('.numbers text').allTextContents(), ['0.94', '0.10', '0.96']);
  await page.locator('.word').nth(2).hover();
  assert.equal(await readout(page), 'blau → blue 0.938 red 0.025');
}));

test('values are shown in small matrices, and on request', async () => {
  await on('known.html', async page => {
    assert.deepEqual(await page.locator('.values text').allTextContents(), ['0.88', '0.10', '0.03', '0.06', '0.94']);
    await page.getByRole('checkbox', {name: 'Values'}).uncheck({force: true});
    assert.equal(await page.locator('.values text').count(), 0);
  });
  await on('french.html', async page => {
    assert.equal(await page.locator('.values text').count(), 0);
    await page.getByRole('checkbox', {name: 'Values'}).check({force: true});
    assert.ok(await page.locator('.values text').count() > 50);
  });
});

test('dark follows the system until it is chosen', async () => {
  const paper = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await on('known.html', async page => {
    assert.equal(await theme(page), 'light');
    assert.equal(await paper(page), 'rgb(255, 255, 255)');
    await page.emulateMedia({colorScheme: 'dark'});
    await until(page, () => document.documentElement.dataset.theme === 'dark');
    assert.equal(await paper(page), 'rgb(22, 24, 28)');
    await page.getByRole('button', {name: 'Dark'}).click();
    assert.equal(await theme(page), 'light');
    await page.emulateMedia({colorScheme: 'light'});
    await page.getByRole('button', {name: 'Dark'}).click();
    assert.equal(await theme(page), 'dark');
  });
  await on('known-links.html', async page => {
    assert.equal(await theme(page), 'dark');
    assert.ok(await page.getByRole('radio', {name: 'Lines'}).isChecked());
  });
});

test('hostile words are words', () => on('hostile.html', async page => {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.title(), '</title><script>window.pwned=3</script>');
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  const words = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).items[0].source);
  assert.equal(words[0], '</script><script>window.pwned=1</script>');
  assert.equal(words[5], '\ufffd\ufffd bad');
  for (const name of ['Lines', 'Salience', 'Heatmap'])
    await view(page, name);
  await page.mouse.move(...await cell(page, 1, 1, 4, 7));
  assert.match(await readout(page), /^two ← <img src=x onerror=window.pwned=2> /);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}));

test('a gallery of a thousand is quick, can be searched and linked to', async () => {
  await on('gallery.html', async page => {
    const ready = await page.evaluate(() => performance.now());
    assert.ok(ready < 3000, `${ready} ms`);
    assert.equal(await page.locator('svg').count(), 1);
    assert.equal(await page.locator('#items li').count(), 1000);
    /* The browser tells of a new address a little later. */
    const captioned = async want => {
      const text = () => page.locator('figcaption').innerText();
      for (let tries = 0; tries < 50 && await text() !== want; tries++)
        await page.waitForTimeout(20);
      assert.equal(await text(), want);
    };
    await captioned('Sentence 1: English to French');
    await page.keyboard.press('ArrowRight');
    await captioned('Sentence 2: Hindi to English');
    assert.match(page.url(), /#2$/);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('/');
    await page.keyboard.type('korean 어제');
    assert.match(await page.locator('#found').innerText(), /^1\d\d of 1000$/);
    await page.getByRole('button', {name: 'Next'}).click();
    await captioned('Sentence 3: Korean to English');
    await page.getByRole('button', {name: 'Next'}).click();
    await captioned('Sentence 8: Korean to English');
    await page.getByRole('searchbox').fill('sentence 500:');
    assert.equal(await page.locator('#items li:visible').count(), 1);
    await page.locator('#items li:visible a').click();
    await captioned('Sentence 500: Emoji');
    assert.equal(await page.locator('a[aria-current]').count(), 1);
    await page.goBack();
    await captioned('Sentence 8: Korean to English');
    const took = await page.evaluate(() => {
      const start = performance.now();
      for (let i = 0; i < 20; i++)
        document.getElementById('next').click();
      return performance.now() - start;
    });
    assert.ok(took < 1000, `${took} ms`);
  });
  await on('gallery.html#1000', async page =>
    assert.equal(await page.locator('figcaption').innerText(), 'Sentence 1000: Emoji'));
  await on('gallery.html#nonsense', async page => assert.equal(await page.locator('#place').innerText(), '1 / 1000'));
});

test('a few small matrices stand side by side', () => on('few.html', async page => {
  const boxes = await page.locator('figure')
    .evaluateAll(all => all.map(figure => figure.getBoundingClientRect().toJSON()));
  assert.equal(boxes.length, 3);
  assert.ok(boxes.every(box => box.top === boxes[0].top));
  assert.ok(boxes[0].right < boxes[1].left && boxes[1].right < boxes[2].left);
  assert.deepEqual(await page.locator('figcaption').allInnerTexts(), ['additive', 'dot', 'local']);
}));

test('nothing is wider than a phone, in any view', async () => {
  for (const name of readdirSync(process.env.SAMPLES))
    await on(name, async page => {
      for (const radio of ['Heatmap', 'Lines', 'Salience']) {
        await view(page, radio);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, `${name} ${radio}`);
      }
    }, PHONE);
});

test('a heatmap of Arabic is mirrored', () => on('arabic.html', async page => {
  const grid = await page.locator('.grid').boundingBox(), cellOf = s => grid.x + grid.width - (s + 0.5) * grid.width / 8;
  for (const [s, word] of [[0, 'ذهب'], [1, 'الولد'], [7, '</s>']]) {
    await page.mouse.move(cellOf(s), grid.y + 5);
    assert.ok((await readout(page)).startsWith(`the ← ${word} `));
  }
  await page.locator('.words text', {hasText: 'المدرسة'}).hover();
  assert.match(await readout(page), /^المدرسة → /);
  const side = await page.locator('.words text', {hasText: 'school'}).boundingBox();
  assert.ok(side.x > grid.x + grid.width);
}));

test('a line of Arabic runs to the left', () => on('arabic.html', async page => {
  await view(page, 'Lines');
  const x = await page.locator('.word text').evaluateAll(all => all.map(text => text.getBoundingClientRect().left));
  assert.ok(x[0] > x[1] && x[1] > x[2]); /* the source */
  assert.ok(x[8] < x[9] && x[9] < x[10]); /* the target */
}));

test('pictures say what they are, and the focus is seen', () => on('known.html', async page => {
  const svg = page.getByRole('application', {name: 'Colors: 2 target words by 3 source words'});
  await page.keyboard.press('Tab');
  for (let i = 0; i < 5 && !await svg.evaluate(node => node === document.activeElement); i++)
    await page.keyboard.press('Tab');
  assert.ok(await svg.evaluate(node => node === document.activeElement));
  assert.equal(await svg.evaluate(node => getComputedStyle(node).outlineStyle), 'solid');
  assert.equal(await page.getByRole('status').count(), 1);
}));
