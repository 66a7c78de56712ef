/* What drives the page of attend serve in a real browser: against the stand-in, or the server at ATTEND_SERVE_URL, whose
 * first model then translates ATTEND_SERVE_SENTENCE. What tests expect is what the server says when asked without the page. */
import assert from 'node:assert/strict';
import {after, before} from 'node:test';
import {chromium} from 'playwright-core';
import {start} from './stand_in.mjs';

const real = process.env.ATTEND_SERVE_URL?.replace(/\/$/, '');
export const toy = {skip: real ? 'only the stand-in has these models' : false};
export const sentence = process.env.ATTEND_SERVE_SENTENCE ?? 'the old man sees a green house .';
const DESK = {viewport: {width: 1280, height: 860}};
export const PHONE = {viewport: {width: 390, height: 844}, hasTouch: true, isMobile: true};
let browser, server;

before(async () => {
  server = real ? {url: real, close() {}} : await start();
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
});
after(async () => {
  await browser.close();
  server.close();
});

/* Run `body` on the page, which must log nothing (but what `excused` matches), throw nothing and ask nobody else. */
export async function on(hash, body, {excused = /^$/, route, ...options} = {}) {
  const context = await browser.newContext({colorScheme: 'light', ...DESK, ...options});
  const page = await context.newPage(), wrong = [];
  page.asked = [];
  page.on('console', message => excused.test(message.text()) || wrong.push(message.text()));
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    const url = request.url();
    if (!url.startsWith(`${server.url}/`) && !/^(data|blob):/.test(url))
      wrong.push(`asks ${url}`);
    if (url.endsWith('/attention'))
      page.asked.push(request.postDataJSON());
  });
  await route?.(page);
  await page.goto(`${server.url}/${hash}`);
  await page.waitForSelector('.model option', {state: 'attached'});
  await body(page);
  await context.close();
  assert.deepEqual(wrong, []);
}

async function post(path, body) {
  const response = await fetch(`${server.url}/${path}`, {method: 'POST', headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body)});
  assert.equal(response.status, 200);
  return response.json();
}

export const ask = body => post('attention', body);
export const askEffect = body => post('explain', body);

/* The page's policy forbids what waitForFunction does. */
export async function until(page, holds, argument, milliseconds = 10000) {
  for (const end = Date.now() + milliseconds; !await page.evaluate(holds, argument);) {
    assert.ok(Date.now() < end, `in vain: ${holds}`);
    await page.waitForTimeout(30);
  }
}

export const link = (text, more = '') => `#q=${encodeURIComponent(text)}${more}`;
export const shown = (page, i = 0) => page.locator('.text').nth(i).innerText();
export const readout = async page => (await page.locator('.readout').first().innerText()).replace(/\s+/g, ' ').trim();
export const say = async (page, text) => {
  await page.locator('#text').fill(text);
  await settled(page);
};
/* Longer than the page waits for fingers, and then until the last answer is some time ago. */
export const settled = async page => {
  await page.waitForTimeout(300);
  await until(page, () => !document.querySelector('.waiting') && document.querySelector('.text').textContent.length > 0 &&
    performance.now() - performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/attention'))
      .reduce((last, {responseEnd}) => Math.max(last, responseEnd), 0) > 150);
};
/* The same for a page that is a file, whose requests nobody sees. */
export const settledFile = async page => {
  await page.waitForTimeout(300);
  for (let before = null, now = ''; before !== now || !now;) {
    await until(page, () => !document.querySelector('.waiting') && document.querySelector('.text').textContent.length > 0);
    [before, now] = [now, await page.locator('#panels').innerText()];
    await page.waitForTimeout(150);
  }
};
export const view = (page, name) => page.getByRole('radio', {name}).check({force: true});
export const display = token => token.replace(/^\u2581/, '');

export async function cell(page, t, s, {target, source}) {
  const box = await page.locator('.grid').first().boundingBox();
  return [box.x + (s + 0.5) * box.width / source.length, box.y + (t + 0.5) * box.height / target.length];
}
