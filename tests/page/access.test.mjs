/* Accessibility of the page of attend serve and of the pages that attend plot writes, at both sizes and in both themes.
 * Exported pages and the playground have theirs in their own tests. */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import {accessible, fits} from './access.mjs';
import {PHONE, link, on, sentence, settled, toy, until, view} from './drive.mjs';

const DESK = {viewport: {width: 1280, height: 860}};
const settings = Object.entries({desk: DESK, phone: PHONE}).flatMap(([screen, options]) =>
  ['light', 'dark'].map(colorScheme => [`${screen}, ${colorScheme}`, {...options, colorScheme}]));

/* ---- attend serve ---- */

async function openEverything(page) {
  await page.getByText('Which words mattered').first().click();
  await page.locator('.effect table').first().waitFor();
  await page.locator('.others summary').first().click();
  await page.getByText('Table', {exact: true}).first().click();
  if (await page.locator('#vocabulary').isVisible())
    await page.locator('#vocabulary summary').click();
}

for (const [name, options] of settings) {
  test(`the served page: ${name}`, () => on(link(sentence, '&certainty=1&attend=1:1%3D1'), async page => {
    await settled(page);
    await openEverything(page);
    for (const picture of ['Heatmap', 'Lines', 'Salience', 'Both']) {
      await view(page, picture);
      await accessible(page, picture, 30);
      await fits(page, picture);
    }
  }, options));

  test(`two models side by side: ${name}`, toy, () => on(link('the old house .'), async page => {
    await settled(page);
    await page.getByRole('button', {name: 'Compare'}).click();
    await until(page, () => document.querySelectorAll('.text')[1]?.textContent);
    await accessible(page);
  }, options));

  test(`right to left: ${name}`, toy, () => on(link('ذهب الولد إلى المدرسة', '&model=ar-en'), async page => {
    await settled(page);
    await openEverything(page);
    await accessible(page);
    await fits(page);
  }, options));

  test(`the layers of an encoder: ${name}`, toy, () => on(link('the old house .', '&model=en-de-heads'), async page => {
    await settled(page);
    await page.locator('.encoder summary').click();
    await page.waitForSelector('.small button');
    await page.locator('.small button').nth(1).click();
    await accessible(page);
    await fits(page);
  }, options));
}

test('an empty field, and what a server refuses', () => on('#q=', async page => {
  await accessible(page, 'empty');
  await page.locator('#text').fill('x '.repeat(4000));
  await until(page, () => /limit/.test(document.body.innerText));
  await accessible(page, 'refused');
}, {excused: /400/}));

/* ---- attend plot ---- */

/* Run `body` on a page that is a file. */
async function onFile(browser, path, options, body) {
  const context = await browser.newContext(options), page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await body(page);
  await context.close();
}

for (const [name, options] of settings)
  test(`the interactive heatmap: ${name}`, async () => {
    const browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
    for (const sample of ['known', 'hindi', 'arabic', 'few', 'gallery', 'large', 'empty', 'hostile'])
      await onFile(browser, join(process.env.SAMPLES, `${sample}.html`), options, async page => {
        for (const picture of ['Heatmap', 'Lines', 'Salience']) {
          await view(page, picture);
          await accessible(page, `${sample}, ${picture}`, 10);
        }
      });
    await browser.close();
  });

const hand = new URL('../../models/handwriting.safetensors', import.meta.url).pathname;

test('the page of a pen', {skip: !existsSync(hand)}, async () => {
  const work = mkdtempSync(join(tmpdir(), 'attend-access-')), file = join(work, 'hand.html');
  execFileSync(process.env.ATTEND, ['plot', '--model', hand, '--output', file, '2071'], {stdio: 'ignore'});
  const browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
  for (const [name, options] of settings)
    await onFile(browser, file, options, async page => {
      await accessible(page, name, 10);
      await fits(page, name);
    });
  await browser.close();
  rmSync(work, {recursive: true});
});
