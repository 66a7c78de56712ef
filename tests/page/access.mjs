/* What axe-core finds wrong with a page for people who see little, or use a screen reader: nothing. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function fits(page, where = '') {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than the window: ${where}`);
}

/* `where` names the state of the page in the message; `least` is how many rules must have had something to look at. */
export async function accessible(page, where = '', least = 20) {
  await page.evaluate(axe);
  const {violations, passes} = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(({id, nodes}) => `${id}: ${nodes.map(({target}) => target).join(' ')}`);
  assert.deepEqual(found, [], where);
  assert.ok(passes.length >= least, `only ${passes.length} rules applied ${where}`);
}
