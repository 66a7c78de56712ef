/* The npm package in a browser, without a bundler: its files as a server gives them. */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {basename, dirname, extname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {chromium} from 'playwright-core';

const folder = join(dirname(process.env.ATTEND), 'npm', 'package'), models = fileURLToPath(new URL('../../models', import.meta.url));
const options = existsSync(folder) ? {} : {skip: 'there is no package (make npm)'};
const types = {'.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html'};
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const SITE = 'http://127.0.0.1:9';
let browser;

before(async () => { browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']}); });
after(() => browser.close());

function give(route) {
  const name = basename(new URL(route.request().url()).pathname), path = join(name.endsWith('.safetensors') ? models : folder, name);
  if (!name)
    return route.fulfill({contentType: 'text/html', headers: {'Content-Security-Policy': POLICY}, body: '<!doctype html><title>a site</title>'});
  return existsSync(path) ? route.fulfill({contentType: types[extname(path)] ?? 'application/octet-stream', body: readFileSync(path)})
    : route.fulfill({status: 404});
}

for (const worker of [true, false])
  test(`the package translates and trains in a page, ${worker ? 'in a worker' : 'without one'}`, options, async () => {
    const page = await browser.newPage(), wrong = [];
    page.on('console', message => wrong.push(message.text()));
    page.on('pageerror', error => wrong.push(error.message));
    await page.route(`${SITE}/**`, give);
    await page.goto(`${SITE}/`);
    const said = await page.evaluate(async inWorker => {
      const {load, train} = await import('/browser.js');
      const model = await load('/hindi-english.safetensors', {worker: inWorker});
      const {text, attention} = await model.translate('mai ghar ja raha hoon');
      await model.close();
      const after = await model.translate('mai').catch(error => error.message);
      let frames = 0;
      const count = () => { frames++; requestAnimationFrame(count); };
      requestAnimationFrame(count);
      const pairs = [...'abcd'].flatMap(a => [...'abcd'].map(b => [`${a} ${b}`, `${b} ${a}`]));
      const losses = [], bytes = await train(pairs, {worker: inWorker, tokenizer: 'spaces', split: 'none', emb: 8, hidden: 16, lr: 0.02,
        maxUpdates: 200, onReport: ({event, loss}) => event === 'progress' && losses.push(loss)});
      return {text, shape: attention.shape, kind: attention.data.constructor.name, after, frames, size: bytes.length, losses: [losses[0], losses.at(-1)]};
    }, worker);
    assert.deepEqual([said.text, said.shape, said.kind], ['I am going home', [5, 6], 'Float32Array']);
    assert.match(said.after, /closed|ended/);
    assert.ok(said.losses[1] < said.losses[0] / 2 && said.size > 1000, `${said.losses}`);
    assert.ok(said.frames > 1, `${said.frames} frames`);
    assert.deepEqual(wrong, []);
    await page.close();
  });
