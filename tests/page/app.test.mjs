/* The page of attend serve: what people do with it. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {PHONE, ask, askEffect, cell, display, link, on, readout, say, sentence, settled, shown, toy, until, view} from './drive.mjs';

/* ---- Translating and looking ---- */

test('what is typed is translated, once the fingers rest', () => on('#q=', async page => {
  await page.locator('#text').pressSequentially(sentence, {delay: 15});
  await settled(page);
  const answer = await ask({q: sentence, alternatives: 4});
  assert.equal(await shown(page), answer.text);
  assert.ok(page.asked.length <= 3, `${page.asked.length} requests`);
  assert.equal(page.asked.at(-1).q, sentence);
  await until(page, text => document.getElementById('live').textContent === text, answer.text);
  assert.equal(await page.locator('#live').getAttribute('role'), 'status');
}));

test('pointing at a cell says its words and its weight, and lights them up in both texts', () =>
  on(link(sentence, '&view=heatmap'), async page => {
    await settled(page);
    const answer = await ask({q: sentence}), {attention} = answer;
    for (const [t, s] of [[0, 0], [1, 2], [2, 1]]) {
      await page.mouse.move(...await cell(page, t, s, answer));
      const said = await readout(page);
      assert.ok(said.includes(`${display(answer.target[t])} ← ${display(answer.source[s])} ${attention[t][s].toFixed(3)}`), said);
      assert.match(said, new RegExp(`probability ${Math.exp(answer.token_scores[t]).toFixed(2)}`));
      assert.deepEqual(await page.locator('.text .lit').allTextContents(), [display(answer.target[t])]);
    }
    await page.mouse.move(1, 1);
    assert.equal(await readout(page), '');
  }));

test('pointing at a word of either text lights up what it has to do with', toy, () => on(link('the old house .'), async page => {
  await settled(page);
  const {target, attention} = await ask({q: 'the old house .'});
  await page.locator('.text span', {hasText: 'Haus'}).hover();
  assert.match(await readout(page), /^Haus ← house 0\.\d+/);
  const glow = await page.locator('#under span').evaluateAll(all =>
    all.map(span => +span.style.getPropertyValue('--weight')));
  assert.deepEqual(glow.map(x => x.toFixed(4)), attention[2].slice(0, 4).map(x => x.toFixed(4)));
  assert.equal(await page.locator('.words .lit', {hasText: 'Haus'}).count(), 2); /* heatmap and lines */
  const old = await page.locator('#under span', {hasText: 'old'}).boundingBox();
  await page.mouse.move(old.x + old.width / 2, old.y + old.height / 2);
  assert.match(await readout(page), /^old → alt 0\.\d+/);
  assert.equal(target.length, 5);
}));

test('a line between words says what a word attended', toy, () => on(link('the old house .', '&view=links'), async page => {
  await settled(page);
  await page.locator('.word', {hasText: 'Haus'}).hover();
  assert.match(await readout(page), /^Haus ← house 0\.\d+ /);
  assert.ok(await page.locator('.links.lit path').count() >= 3);
}));

test('certainty shades words by their probability', () => on(link(sentence), async page => {
  await settled(page);
  assert.equal(await page.locator('.text .shaded').count(), 0);
  await page.getByRole('checkbox', {name: 'Certainty'}).check({force: true});
  const answer = await ask({q: sentence}), sure = await page.locator('.text .shaded').evaluateAll(all =>
    all.map(span => +span.style.getPropertyValue('--sure')));
  assert.ok(sure.length > 0);
  assert.equal(sure[0].toFixed(2), Math.exp(answer.token_scores[0]).toFixed(2));
}));

test('the fold-out shows every layer and head of a transformer encoder', toy, () => on(link('the old house .', '&model=en-de-heads'), async page => {
  await settled(page);
  const inside = page.locator('.encoder'), asked = [];
  page.on('request', request => request.url().endsWith('/self-attention') && asked.push(request.postDataJSON()));
  assert.equal(asked.length, 0); /* closed, it costs nothing */
  await inside.locator('summary').click();
  await page.waitForSelector('.small button');
  const tops = await page.evaluate(() => ['figure', '.encoder', '#vocabulary'].map(name =>
    document.querySelector(name).getBoundingClientRect().top));
  assert.deepEqual(tops, tops.toSorted((a, b) => a - b)); /* between the picture and the vocabulary */
  assert.deepEqual(await inside.locator('.small button').evaluateAll(all => all.map(one => one.ariaLabel)),
    [1, 2].flatMap(l => [1, 2, 3].map(h => `Layer ${l}, head ${h}`)));
  const answer = await (await fetch(new URL('self-attention', page.url()), {method: 'POST',
    headers: {'Content-Type': 'application/json'}, body: JSON.stringify({q: 'the old house .', model: 'en-de-heads'})})).json();
  const weight = async (t, s) => {
    const box = await inside.locator('.large .grid').boundingBox(), each = box.width / answer.source.length;
    await page.mouse.move(box.x + (s + 0.5) * each, box.y + (t + 0.5) * each);
    return (await inside.locator('.readout').innerText()).replace(/\s+/g, ' ').trim();
  };
  await inside.locator('.large').scrollIntoViewIfNeeded();
  assert.equal(await weight(1, 2), `old ← house ${answer.layers[0][0][1][2].toFixed(3)}`);
  await inside.getByRole('button', {name: 'Layer 2, head 3'}).click();
  assert.equal(await inside.locator('[aria-pressed="true"]').getAttribute('aria-label'), 'Layer 2, head 3');
  assert.equal(await weight(0, 3), `the ← . ${answer.layers[1][2][0][3].toFixed(3)}`);
  await say(page, 'a car');
  await until(page, () => document.querySelectorAll('.large .words:last-of-type text').length === 3);
  assert.deepEqual(asked.map(({q}) => q), ['the old house .', 'a car']);
  await page.locator('.model').selectOption('en-de');
  await settled(page);
  assert.equal(await inside.isHidden(), true);
}));

/* ---- What if ---- */

test('a click on a cell makes the model look there, and what it says changes', () => on(link(sentence), async page => {
  await settled(page);
  const plain = await ask({q: sentence, alternatives: 4}), t = 1, s = 0;
  await page.mouse.click(...await cell(page, t, s, plain));
  await page.waitForSelector('.chips li');
  assert.deepEqual(page.asked.at(-1).attend, [{step: t, source: s, weight: 1}]);
  const told = await ask({q: sentence, attend: [{step: t, source: s, weight: 1}]});
  assert.equal(await shown(page), told.text);
  assert.notEqual(told.text, plain.text);
  assert.equal(await page.locator('.before').innerText(), `Without it: ${plain.text}`);
  assert.ok(await page.locator('.text .changed').count() > 0);
  assert.equal(await page.locator('.told circle').count(), 1);
  assert.ok((await page.locator('.chips').innerText()).startsWith(`step 2 looks at ${display(plain.source[s])}`));
  await page.getByRole('button', {name: 'Remove the attention set for step 2'}).click();
  await until(page, text => document.querySelector('.text').textContent === text, plain.text);
  assert.equal(await page.locator('.chips li').count(), 0);
}));

test('a line dragged to another word does the same', toy, () => on(link('the old house .', '&view=links'), async page => {
  await settled(page);
  const at = async name => {
    const box = await page.locator('.word', {hasText: name}).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.mouse.move(...await at('alt'));
  await page.mouse.down();
  await page.mouse.move(300, 400, {steps: 3});
  assert.equal(await page.locator('.pulled').count(), 1);
  await page.mouse.move(...await at('house'), {steps: 3});
  await page.mouse.up();
  await until(page, () => document.querySelector('.text').textContent === 'die Haus.');
  assert.deepEqual(page.asked.at(-1).attend ?? page.asked.at(-2).attend, [{step: 1, source: 2, weight: 1}]);
  assert.ok(await page.locator('.links .told').count() > 0);
  await page.keyboard.press('Escape');
  await page.locator('h1').click();
  await page.keyboard.press('Escape');
  await until(page, () => document.querySelector('.text').textContent === 'die alt Haus.');
}));

const TWO_PIECES = 'children understanding garden';

test('a word in words is told piece by piece', toy, () => on(link(TWO_PIECES, '&words=1&view=heatmap'), async page => {
  await settled(page);
  const words = await ask({q: TWO_PIECES, words: true});
  assert.deepEqual(words.source, ['children', 'understanding', 'garden', '</s>']);
  await page.mouse.click(...await cell(page, 0, 1, words));
  await page.waitForSelector('.chips li');
  await settled(page);
  assert.deepEqual(page.asked.find(body => body.attend).attend,
    [{step: 0, source: 1, weight: 0.5}, {step: 0, source: 2, weight: 0.5}]);
  assert.equal(await page.locator('.chips').innerText(), 'step 1 looks at under 0.5, ‐standing 0.5\n✕');
}));

/* ---- Alternatives, models, heads ---- */

test('an alternative that is chosen shows its own attention', () => on(link(sentence, '&view=heatmap'), async page => {
  await settled(page);
  const {source, text, alternatives} = await ask({q: sentence, alternatives: 4});
  await page.locator('.others summary').click();
  assert.equal(await page.locator('.others button').count(), alternatives.length + 1);
  await page.locator('.others button').nth(1).click();
  assert.equal(await shown(page), alternatives[0].text);
  await page.mouse.move(...await cell(page, 0, 0, {...alternatives[0], source}));
  assert.ok((await readout(page)).includes(`${display(alternatives[0].target[0])} ← `));
  assert.match(page.url(), /choice=1/);
  await page.locator('.others button').first().click();
  assert.equal(await shown(page), text);
}));

test('models stand side by side', toy, () => on(link('the old house .'), async page => {
  await settled(page);
  await page.getByRole('button', {name: 'Compare'}).click();
  await until(page, () => document.querySelectorAll('.text')[1]?.textContent);
  assert.deepEqual(await page.locator('.model').evaluateAll(all => all.map(node => node.value)), ['en-de', 'en-de-dot']);
  const boxes = await page.locator('.result').evaluateAll(all => all.map(node => node.getBoundingClientRect().toJSON()));
  assert.ok(boxes[0].top === boxes[1].top && boxes[0].right < boxes[1].left);
  await page.locator('.model').nth(1).selectOption('en-de-none');
  await page.getByText('This model has no attention').nth(1).waitFor();
  await page.locator('.model').nth(1).selectOption('en-de-heads');
  await page.locator('.heads').nth(1).selectOption('Head 2');
  assert.match(page.url(), /head=1/);
  await page.getByRole('button', {name: 'Remove this model'}).first().click();
  assert.deepEqual(await page.locator('.model').evaluateAll(all => all.map(node => node.value)), ['en-de-heads']);
}));

test('languages are swapped where the other direction is served', toy, () => on(link('the old house .'), async page => {
  await settled(page);
  assert.equal(await page.locator('#language').innerText(), 'English');
  await page.getByRole('button', {name: 'Swap'}).click();
  assert.equal(await page.locator('#text').inputValue(), 'die alt Haus.');
  assert.equal(await page.locator('#language').innerText(), 'German');
  assert.equal(await page.locator('.model').inputValue(), 'de-en');
}));

test('words and pieces', toy, () => on(link('understanding .', '&view=heatmap'), async page => {
  await settled(page);
  const heads = () => page.locator('.top text').allTextContents();
  assert.deepEqual(await heads(), ['under', '‐standing', '.', '</s>']);
  await view(page, 'Words');
  await until(page, () => document.querySelectorAll('.top text').length === 3);
  assert.deepEqual(await heads(), ['understanding', '.', '</s>']);
}));

/* ---- Which words mattered ---- */

test('a table says what each source word is worth, for the translation that is shown', () => on(link(sentence), async page => {
  await settled(page);
  const said = page.locator('.effect p'), cells = () => page.locator('.effect tbody td').allTextContents();
  const {source, target, leave_one_out: lost, kendall} = await askEffect({q: sentence, target: (await ask({q: sentence})).text});
  await page.getByText('Which words mattered').click();
  await page.waitForSelector('.effect table');
  assert.deepEqual(await page.locator('.effect th[scope=col]').allTextContents(), source.map(display));
  assert.deepEqual(await page.locator('.effect th[scope=row]').allTextContents(), target.map(display));
  assert.deepEqual(await cells(), lost.flat().map(x => x === null ? '–' : x.toFixed(1).replace(/^-0.0$/, '0.0')));
  assert.match(await said.innerText(), new RegExp(`correlation of ${kendall.leave_one_out.mean.toFixed(2)} `));
  const before = await cells();
  await say(page, sentence.split(' ').slice(1).join(' '));
  await until(page, count => document.querySelectorAll('.effect th[scope=col]').length < count, source.length);
  assert.notDeepEqual(await cells(), before);
  await say(page, sentence);
  await page.locator('#text').fill('');
  await until(page, () => document.querySelector('.effect').hidden);
}));

/* ---- Links and downloads ---- */

test('a link brings back what was seen', () => on(link(sentence), async page => {
  await settled(page);
  const plain = await ask({q: sentence});
  await page.mouse.click(...await cell(page, 0, 1, plain));
  await page.waitForSelector('.chips li');
  await page.getByRole('button', {name: 'Compare'}).click();
  await view(page, 'Lines');
  await page.getByRole('checkbox', {name: 'Certainty'}).check({force: true});
  await until(page, () => document.querySelectorAll('.text')[1]?.textContent);
  const texts = [await shown(page, 0), await shown(page, 1)], url = page.url();
  await on(url.slice(url.indexOf('#')), async other => {
    await until(other, () => document.querySelectorAll('.text')[1]?.textContent);
    await settled(other);
    assert.deepEqual([await shown(other, 0), await shown(other, 1)], texts);
    assert.equal(await other.locator('#text').inputValue(), sentence);
    assert.equal(await other.locator('.chips li').count(), 1);
    assert.ok(await other.getByRole('radio', {name: 'Lines'}).isChecked());
    assert.ok(await other.getByRole('checkbox', {name: 'Certainty'}).isChecked());
    assert.equal(other.url(), url);
    await other.evaluate(() => { location.hash = '#q=other'; });
    await until(other, () => document.getElementById('text').value === 'other');
  });
}));

test('downloads have the right names and contents', () => on(link(sentence, '&view=links'), async page => {
  await settled(page);
  const answer = await ask({q: sentence, alternatives: 4});
  const save = async name => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name, exact: true}).click()]);
    return [download.suggestedFilename(), readFileSync(await download.path())];
  };
  const drawn = page.waitForRequest('**/picture');
  const [svgName, svg] = await save('SVG'), [pngName, png] = await save('PNG'), [jsonName, json] = await save('JSON');
  assert.deepEqual((await drawn).postDataJSON(), {view: 'links', dark: false, format: 'svg',
    matrix: {source: answer.source, target: answer.target, attention: answer.attention}});
  assert.deepEqual([svgName, pngName, jsonName],
    [`${answer.model}-links.svg`, `${answer.model}-links.png`, `${answer.model}-attention.json`]);
  assert.match(svg.toString(), /<svg [^]*<\/svg>\s*$/);
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.ok(png.readUInt32BE(16) > 100 && png.readUInt32BE(20) > 100);
  const saved = JSON.parse(json);
  assert.equal(json.toString().trimEnd().split('\n').length, 1);
  assert.deepEqual([saved.text, saved.source, saved.attention], [answer.text, answer.source, answer.attention]);
}));

/* ---- Every screen, every reader ---- */

test('nothing is wider than a phone, and long sentences scroll in their own box', () =>
  on(link(sentence), async page => {
    const words = Array.from({length: 80}, (_, i) => sentence.split(' ')[i % 7] ?? 'a').join(' ');
    for (const text of [sentence, words]) {
      await say(page, text);
      for (const name of ['Both', 'Heatmap', 'Lines', 'Salience']) {
        await view(page, name);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, `${name} ${text}`);
      }
    }
    await view(page, 'Heatmap');
    const place = () => page.evaluate(() => ['.top text', '.sides text', '.grid'].map(name => {
      const {x, y} = document.querySelector(name).getBoundingClientRect();
      return {x, y};
    }));
    const [head, side, grid] = await place();
    const gone = await page.locator('.canvas').first().evaluate(box => {
      box.scrollTo(200, 300);
      return [box.scrollLeft, box.scrollTop]; /* less than that, where a model says little */
    });
    assert.ok(gone[0] > 100);
    const near = (one, other) => assert.ok(Math.abs(one - other) < 1, `${one}, ${other}`);
    const [headThen, sideThen, gridThen] = await place();
    near(gridThen.x, grid.x - gone[0]);
    near(gridThen.y, grid.y - gone[1]);
    near(headThen.x, head.x - gone[0]); /* the source stays above */
    near(headThen.y, head.y);
    near(sideThen.x, side.x); /* the target at the side */
    near(sideThen.y, side.y - gone[1]);
  }, PHONE));

test('a finger chooses a cell, and a button makes the model look there', () => on(link(sentence, '&view=heatmap'), async page => {
  await settled(page);
  const answer = await ask({q: sentence});
  await page.locator('figure').scrollIntoViewIfNeeded();
  await page.touchscreen.tap(...await cell(page, 1, 2, answer));
  assert.ok((await readout(page)).startsWith(`${display(answer.target[1])} ← ${display(answer.source[2])}`));
  assert.equal(await page.locator('.chips li').count(), 0);
  await page.getByRole('button', {name: 'Look here'}).tap();
  await page.waitForSelector('.chips li');
}, PHONE));

test('dark follows the system until it is chosen, and is remembered', () => on('#q=', async page => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), 'rgb(255, 255, 255)');
  await page.emulateMedia({colorScheme: 'dark'});
  assert.equal(await paper(), 'rgb(22, 24, 28)');
  await page.getByRole('button', {name: 'Dark'}).click();
  assert.equal(await paper(), 'rgb(255, 255, 255)');
  await page.reload();
  assert.equal(await paper(), 'rgb(255, 255, 255)');
}));

test('Arabic runs from right to left, and its heatmap is mirrored', toy, () =>
  on(link('ذهب الولد إلى المدرسة في الصباح .', '&model=ar-en'), async page => {
    await settled(page);
    assert.equal(await page.locator('#text').evaluate(node => getComputedStyle(node).direction), 'rtl');
    const x = await page.locator('.top text').evaluateAll(all => all.map(text => text.getBoundingClientRect().right));
    assert.ok(x[0] > x[1] && x[1] > x[2]);
    const grid = await page.locator('.grid').first().boundingBox(), side = await page.locator('.sides text').first().boundingBox();
    assert.ok(side.x > grid.x + grid.width);
    const answer = await ask({q: 'ذهب الولد إلى المدرسة في الصباح .', model: 'ar-en'}), [, y] = await cell(page, 2, 0, answer);
    await page.mouse.move(grid.x + grid.width - 10, y);
    assert.match(await readout(page), /^went ← ذهب/);
    await page.mouse.move(1, 1);
    await page.locator('.picture').first().focus();
    for (const key of ['ArrowDown', 'ArrowLeft'])
      await page.keyboard.press(key);
    assert.match(await readout(page), /^the ← الولد/);
  }));

test('keys are enough', () => on('#q=', async page => {
  await page.locator('h1').click();
  await page.keyboard.press('/');
  assert.ok(await page.locator('#text').evaluate(node => node === document.activeElement));
  await page.keyboard.type(sentence);
  await page.keyboard.press('Enter');
  await settled(page);
  const answer = await ask({q: sentence}), svg = page.getByRole('application').first();
  for (let i = 0; i < 30 && !await svg.evaluate(node => node === document.activeElement); i++)
    await page.keyboard.press('Tab');
  assert.ok(await svg.evaluate(node => node === document.activeElement));
  assert.equal(await page.locator('.canvas').first().evaluate(node => getComputedStyle(node).outlineStyle), 'solid');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown'])
    await page.keyboard.press(key);
  assert.ok((await readout(page)).startsWith(`${display(answer.target[1])} ← ${display(answer.source[1])}`));
  await page.keyboard.press('Enter');
  await page.waitForSelector('.chips li');
  await settled(page);
  assert.ok(await svg.evaluate(node => node === document.activeElement));
  await page.keyboard.press('Escape'); /* the cell */
  await page.keyboard.press('Escape'); /* what was told */
  await until(page, () => !document.querySelector('.chips li'));
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('.text').textContent);
  assert.equal(await page.locator('#text').inputValue(), '');
}));

test('attention is there as a table', () => on(link(sentence), async page => {
  await settled(page);
  const {source, target, attention} = await ask({q: sentence});
  await page.getByText('Table', {exact: true}).click();
  await page.locator('th').first().waitFor();
  assert.deepEqual(await page.locator('th[scope=col]').allTextContents(), source.map(display));
  assert.equal(await page.locator('th[scope=row]').count(), target.length);
  assert.equal(await page.locator('tbody tr').nth(1).locator('td').nth(1).innerText(), attention[1][1].toFixed(2));
}));

test('nothing moves for those who ask for that', () => on('#q=', async page => {
  assert.equal(await page.locator('.text').evaluate(node => getComputedStyle(node).transitionDuration), '0s');
}, {reducedMotion: 'reduce'}));
