/* The page of attend serve when things go wrong, and when words are hostile. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ask, link, on, readout, say, sentence, settled, shown, until, view} from './drive.mjs';

/* ---- When things go wrong ---- */

const failing = (status, body, headers = {}) => route =>
  route.fulfill({status, headers, contentType: 'application/json', body: JSON.stringify(body)});
const FAILED = /Failed to load resource/;

test('what the server refuses is said in its words', () => on('#q=', async page => {
  await page.route('**/attention', failing(400, {error: 'Invalid request: request (9) exceeds text limit (5)'}));
  await page.locator('#text').fill('a long text');
  await page.getByRole('alert').waitFor();
  assert.match(await page.getByRole('alert').innerText(), /^Invalid request: request \(9\) exceeds text limit \(5\) Try again$/);
  await page.unroute('**/attention');
  await page.getByRole('button', {name: 'Try again'}).click();
  await until(page, () => document.querySelector('.text').textContent);
  assert.ok(await page.getByRole('alert').isHidden());
}, {excused: FAILED}));

test('a busy server is asked again when it says so', () => on('#q=', async page => {
  let times = 0;
  await page.route('**/attention', route => ++times < 3 ? failing(503, {error: 'busy'}, {'Retry-After': '1'})(route)
    : route.continue());
  const start = Date.now();
  await page.locator('#text').fill(sentence);
  await page.getByText('The server is busy. Trying again in 1 s').waitFor();
  await until(page, () => document.querySelector('.text').textContent);
  assert.ok(Date.now() - start > 1900);
  assert.equal(times, 3);
}, {excused: FAILED}));

test('a server that is gone, or talks nonsense, is called so', () => on(link(sentence), async page => {
  await settled(page);
  const before = await shown(page);
  await page.route('**/attention', route => route.abort());
  await page.locator('#text').fill('another');
  await page.getByText('The server does not answer').waitFor();
  assert.equal(await shown(page), before); /* the last answer stays, dimmed */
  assert.equal(await page.locator('.waiting').count(), 1);
  await page.route('**/attention', route => route.fulfill({status: 502, body: '<h1>Bad gateway</h1>'}));
  await page.locator('#text').fill('yet another');
  await page.getByText('The server answered 502').waitFor();
}, {excused: FAILED}));

test('an old answer that comes late is not shown', () => on('#q=', async page => {
  await page.route('**/attention', async route => {
    if (route.request().postDataJSON().q === 'a')
      await new Promise(resolve => setTimeout(resolve, 1200));
    await route.continue().catch(() => {});
  });
  await page.locator('#text').fill('a');
  await page.waitForRequest('**/attention');
  await say(page, sentence);
  const {text} = await ask({q: sentence});
  assert.equal(await shown(page), text);
  await page.waitForTimeout(1300);
  assert.equal(await shown(page), text);
}));

test('a key is asked for where one is needed', () => on('#q=', async page => {
  await page.route('**/attention', route => route.request().postDataJSON().api_key === 'secret' ? route.continue()
    : failing(403, {error: 'Invalid API key'})(route));
  await page.locator('#text').fill(sentence);
  await page.getByText('Invalid API key').waitFor();
  await page.getByLabel('API key').fill('secret');
  await page.getByLabel('API key').press('Enter');
  await until(page, () => document.querySelector('.text').textContent);
  assert.doesNotMatch(page.url(), /secret/);
}, {excused: FAILED}));

/* ---- Hostile words ---- */

const HOSTILE = '<img src=x onerror=window.pwned=1> </script><script>window.pwned=2</script> \u202e\u2067abc {{data}} \'";--';

test('hostile text is text', () => on(link(HOSTILE), async page => {
  await settled(page);
  for (const name of ['Lines', 'Salience', 'Heatmap', 'Both'])
    await view(page, name);
  await page.locator('.text span').first().hover();
  await page.getByText('Table', {exact: true}).click();
  assert.equal(await page.locator('#text').inputValue(), HOSTILE);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 1);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}));

test('a hostile answer is text too', () => {
  const evil = '<img src=x onerror=window.pwned=3>';
  const answer = {model: evil, source: [evil, '</s>'], target: [evil, '</s>'], text: evil, attention: [[1, 0], [0, null]],
    token_scores: [-1, -1], score: -1, log_probability: -2, alternatives: [{text: evil, target: [evil], attention: [[1, 0]],
      score: -1, log_probability: -2, token_scores: null}]};
  return on(link(evil), async page => {
    await settled(page);
    await page.locator('.others summary').click();
    await page.locator('.text span').first().hover();
    assert.match(await readout(page), /^<img src=x onerror=window.pwned=3> ← <img/);
    await page.route('**/attention', failing(400, {error: evil}));
    await page.locator('#text').fill('x');
    await page.getByText(evil).last().waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.evaluate(() => window.pwned), undefined);
  }, {excused: FAILED, route: async page => {
    await page.route('**/attention', failing(200, answer));
    await page.route('**/models', failing(200, {models: [{name: evil, source: '<b>', target: 'de', attention: evil, cell: evil}]}));
  }});
});

test('the policy lets nothing else run', () => on('#q=', async page => {
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.pwned = 4';
    document.body.append(script);
    document.body.insertAdjacentHTML('beforeend', '<button onclick="window.pwned = 5" id="evil">x</button>');
    document.getElementById('evil').click();
  });
  await assert.rejects(page.evaluate(() => fetch('https://example.org/')));
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}, {excused: /Content Security Policy|Refused/}));
