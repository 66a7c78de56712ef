/* The page of attend serve: what a model knows. Examples, vocabulary, unknown words, confidence. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PHONE, ask, link, on, say, settled, shown, toy, until} from './drive.mjs';

const failing = (status, body) => route => route.fulfill({status, contentType: 'application/json', body: JSON.stringify(body)});
const models = async page => (await page.evaluate(async () => (await fetch('models')).json())).models;
const marks = page => page.locator('#marks span').allTextContents();

/* ---- Examples ---- */

test('the page opens with a sentence already translated', () => on('', async page => {
  await settled(page);
  const [{examples}] = await models(page), answer = await ask({q: examples[0]});
  assert.ok(examples.length > 0, 'the server has a model without examples');
  assert.equal(await page.locator('#text').inputValue(), examples[0]);
  assert.equal(await shown(page), answer.text);
  assert.equal(new URL(page.url()).hash, ''); /* nobody has chosen it */
  assert.ok(await page.locator('#about').isHidden());
  assert.equal(await page.locator('.example[aria-current=true]').innerText(), examples[0]);
}));

test('typing replaces the sentence that the page opened with', () => on('', async page => {
  await settled(page);
  await page.keyboard.press('Tab'); /* to wherever; then into the field by its key */
  await page.locator('#text').focus();
  await page.keyboard.type('a');
  assert.equal(await page.locator('#text').inputValue(), 'a');
}));

test('so does a click into the field, and the next click only moves the caret', () => on('', async page => {
  await settled(page);
  const before = await page.locator('#text').inputValue();
  const selected = () => page.locator('#text').evaluate(node => node.selectionEnd - node.selectionStart);
  await page.locator('#text').click();
  assert.equal(await selected(), before.length);
  await page.locator('#text').click();
  assert.equal(await selected(), 0);
}));

test('a link with a text shows this text, even an empty one', () => on(link('a house'), async page => {
  await settled(page);
  assert.equal(await page.locator('#text').inputValue(), 'a house');
  await on('#q=', async other => {
    await other.waitForTimeout(300);
    assert.equal(await other.locator('#text').inputValue(), '');
    assert.equal(await shown(other), '');
    assert.ok(await other.locator('.example').count() > 0);
  });
}));

test('an example is one click away, with or without a mouse', () => on('', async page => {
  await settled(page);
  const [{examples}] = await models(page), few = await page.locator('.example').count();
  assert.ok(few <= 3 && few > 1);
  const line = await page.locator('.example').nth(1).getAttribute('title');
  await page.locator('.example').nth(1).click();
  await until(page, wanted => document.querySelector('.text').textContent === wanted, (await ask({q: line})).text);
  assert.equal(await page.locator('#text').inputValue(), line);
  assert.equal(await page.locator('.example').nth(1).getAttribute('aria-current'), 'true');
  assert.match(page.url(), /q=/);
  await page.getByRole('button', {name: `${examples.length - few} more`}).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await page.locator('.example').evaluateAll(all => all.map(node => node.title)), examples);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Fewer');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.example').count(), few);
}));

test('another model brings its own examples', toy, () => on('', async page => {
  await settled(page);
  await page.locator('.model').selectOption('hi-en');
  await settled(page);
  assert.equal(await page.locator('#text').inputValue(), 'मैं अपने पुराने घर जा रहा हूँ ।');
  assert.match(await shown(page), /^I am going to my old house/);
  await say(page, 'मैं');
  await page.locator('.model').selectOption('en-de');
  await settled(page);
  assert.equal(await page.locator('#text').inputValue(), 'मैं'); /* what somebody typed stays */
  await page.locator('.model').selectOption('de-en');
  assert.ok(await page.locator('#examples').isHidden()); /* it has none */
}));

test('a model without examples opens empty', () => on('', async page => {
  await page.waitForTimeout(300);
  assert.equal(await page.locator('#text').inputValue(), '');
  assert.ok(await page.locator('#about').isVisible());
  assert.ok(await page.locator('#examples').isHidden());
  assert.ok(await page.locator('#vocabulary').isHidden());
}, {route: page => page.route('**/models', failing(200, {models: [{name: 'en-de', source: 'en', target: 'de', attention: 'dot',
  cell: 'gru'}]}))}));

test('where examples need a key, they come with it', toy, () => on('', async page => {
  await page.waitForTimeout(300);
  assert.equal(await page.locator('#text').inputValue(), '');
  await page.evaluate(() => sessionStorage.setItem('key', 'secret'));
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('#text').inputValue(), 'the old woman sees a dog');
}, {route: page => page.route('**/models', failing(200, {models: [{name: 'en-de', source: 'en', target: 'de', attention: 'dot',
  cell: 'gru', source_tokens: 21, target_tokens: 21}]}))}));

/* ---- Vocabulary ---- */

test('the vocabulary can be browsed and filtered, and its words make sentences', toy, () => on('#q=', async page => {
  await page.getByText('Vocabulary').click();
  await page.locator('.side button').first().waitFor();
  assert.deepEqual(await page.locator('.side .name').allTextContents(), ['English', 'German']);
  const all = await page.locator('.side').first().locator('li').count();
  assert.equal(await page.locator('.side .count').first().innerText(), String(all));
  await page.getByRole('searchbox').fill('HO');
  assert.deepEqual(await page.locator('.side').first().locator('li').allTextContents(), ['house']);
  assert.equal(await page.locator('.side .count').first().innerText(), `1 of ${all}`);
  await page.locator('.side button', {hasText: 'house'}).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await page.locator('#text').inputValue(), 'house house');
  assert.equal(await shown(page), 'Haus Haus');
  await page.getByRole('searchbox').fill('zzz');
  await page.getByText('The model does not know “zzz”').waitFor();
  await page.getByRole('searchbox').press('Escape');
  assert.equal(await page.locator('.side').first().locator('li').count(), all);
  await page.locator('.model').selectOption('ar-en'); /* an open list follows the model */
  await until(page, () => document.querySelector('.side .name').textContent === 'Arabic');
  await page.locator('.side button', {hasText: 'المدرسة'}).waitFor();
}));

test('a large vocabulary is not offered', toy, () => on('#q=&model=en-ar', async page => {
  assert.ok(await page.locator('#vocabulary').isHidden());
}));

test('a vocabulary that does not come says why', () => on('', async page => {
  await page.getByText('Vocabulary').click();
  await page.getByText('Slowdown').waitFor();
}, {excused: /Failed to load/, route: page => page.route('**/vocabulary', failing(400, {error: 'Slowdown'}))}));

/* ---- Unknown words ---- */

test('what the model does not know is marked in the field and said', toy, () => on('#q=', async page => {
  await say(page, 'the  zebra\n sees 👩‍👩‍👧 a dog');
  assert.deepEqual(await marks(page), ['zebra', '👩‍👩‍👧']);
  assert.equal(await page.locator('#marks').evaluate(node => node.textContent.replace('\u200b', '')), 'the  zebra\n sees 👩‍👩‍👧 a dog');
  assert.equal(await page.locator('#unknown').innerText(), 'Unknown to this model: zebra, 👩‍👩‍👧');
  assert.match(await page.locator('#text').getAttribute('aria-describedby'), /unknown/);
  await until(page, () => document.getElementById('live').textContent.includes('Unknown to this model: zebra'));
  const [mark, field] = await Promise.all([page.locator('#marks span').first().boundingBox(), page.locator('#text').boundingBox()]);
  assert.ok(mark.x > field.x && mark.y >= field.y - 4 && mark.height < 40);
  await say(page, 'the dog');
  assert.deepEqual(await marks(page), []);
  assert.ok(await page.locator('#unknown').isHidden());
}));

test('marks stay at their words while someone types elsewhere', toy, () => on('#q=', async page => {
  await say(page, 'the zebra sees');
  await page.route('**/attention', () => {}); /* no answer any more */
  await page.locator('#text').press('End');
  await page.keyboard.type(' a gnu');
  assert.deepEqual(await marks(page), ['zebra']);
  await page.locator('#text').press('Home');
  await page.keyboard.type('so ');
  assert.deepEqual(await marks(page), ['zebra']);
  await page.locator('#text').fill('the zebr sees');
  assert.deepEqual(await marks(page), []);
}));

test('marks fit every text and every answer', toy, () => on('#q=', async page => {
  await say(page, '  zebra  ');
  assert.deepEqual(await marks(page), ['zebra']);
  await page.route('**/attention', async route => {
    const response = await route.fetch(), answer = await response.json();
    answer.unknown = [{text: 'x', start: 0, end: 99}, {text: 'y', start: 5, end: 3}, {text: 'z', start: 4, end: 7}, {text: 'o', start: 5, end: 6}];
    await route.fulfill({response, json: answer});
  });
  await page.locator('#text').fill('the dog');
  await until(page, () => document.querySelector('#marks span')?.textContent === 'dog');
  assert.equal(await page.locator('#marks span').count(), 1);
  await page.unroute('**/attention');
  await page.route('**/attention', async route => {
    const response = await route.fetch(), {unknown, ...answer} = await response.json();
    await route.fulfill({response, json: answer});
  });
  await page.locator('#text').fill('a zebra'); /* a server that says nothing of it */
  await until(page, () => /ein zebra/.test(document.querySelector('.text').textContent));
  assert.deepEqual(await marks(page), []);
}));

test('Arabic is marked too', toy, () => on('#q=&model=ar-en', async page => {
  await say(page, 'ذهب الولد إلى الحديقة');
  assert.deepEqual(await marks(page), ['الحديقة']);
  assert.equal(await page.locator('#marks').evaluate(node => getComputedStyle(node).direction), 'rtl');
  const box = await page.locator('#marks span').boundingBox(), field = await page.locator('#text').boundingBox();
  assert.ok(box.x < field.x + field.width - 100); /* the last word, so the leftmost */
}));

/* ---- Confidence ---- */

test('confidence is shown where an answer has it', toy, () => on(link('the old house .'), async page => {
  await settled(page);
  const {confidence} = await ask({q: 'the old house .'});
  assert.match(await page.locator('.facts').innerText(), new RegExp(`confidence ${Math.round(100 * confidence)} %`));
  await page.locator('.model').selectOption('en-de-heads');
  await settled(page);
  assert.doesNotMatch(await page.locator('.facts').innerText(), /confidence/);
}));

/* ---- Phones ---- */

test('examples and vocabulary fit a phone', () => on('', async page => {
  await settled(page);
  await page.getByText('Vocabulary').click();
  await page.locator('.side button').first().waitFor();
  for (const button of await page.getByRole('button', {name: /more$/}).all())
    await button.click();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  const low = await page.locator('.example').evaluateAll(all => Math.min(...all.map(node => node.getBoundingClientRect().height)));
  assert.ok(low >= 32, `${low} is low for a finger`);
}, PHONE));
