/* Clients that people use, unchanged, against the server at ATTEND_SERVE_URL. What they say is what a plain request says;
 * how each of them asks is its own affair. ATTEND_SERVE_SENTENCE is a sentence that the first model can translate. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LibreTranslateTranslator} from 'anylang/translators/unstable/LibreTranslateTranslator/index.js';
import libretranslate from 'libretranslate';
import libretranslateTs from 'libretranslate-ts';
import libretranslatejs from 'libretranslatejs';
import translate from 'translate';

const url = process.env.ATTEND_SERVE_URL?.replace(/\/$/, '');
const skip = url ? false : 'ATTEND_SERVE_URL names no server';
const q = process.env.ATTEND_SERVE_SENTENCE ?? 'the old house .';

async function plain(path, body) {
  const response = await fetch(url + path, body && {method: 'POST', headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body)});
  assert.equal(response.status, 200, path);
  return response.json();
}

/* The first model's languages, and what the server makes of the sentence. */
async function expected(extra = {}) {
  const {models: [{source, target}]} = await plain('/models');
  const answer = await plain('/translate', {q, source, target, format: 'text', ...extra});
  assert.ok(answer.translatedText);
  return {source, target, ...answer};
}

test('libretranslatejs', {skip}, async () => {
  const {source, target, translatedText} = await expected(), {hostname: host, port} = new URL(url);
  assert.equal(await libretranslatejs({host, port}).translate(q, source, target), translatedText);
});

test('libretranslate asks for the languages first', {skip}, async () => {
  const {source, target, translatedText} = await expected();
  const ask = more => libretranslate.translate({query: q, source, target, apiurl: url, ...more});
  assert.equal(await ask({}), translatedText);
  await assert.rejects(ask({target: 'xx'}), /does not exist/);
  assert.equal(typeof await libretranslate.translate({query: q, target, apiurl: url}), 'string'); /* from "auto" */
});

test('libretranslate-ts lists, detects and translates with alternatives', {skip}, async () => {
  const client = libretranslateTs.libreTranslate, {source, target, translatedText, alternatives} =
    await expected({alternatives: 2});
  client.setApiEndpoint(url);
  const languages = await client.listLanguages();
  assert.ok(languages.find(({code}) => code === source).targets.includes(target));
  const found = await client.detect(q);
  assert.equal(found.status, 200);
  assert.ok(languages.some(({code}) => code === found.language) && found.confidence >= 0 && found.confidence <= 100);
  const answer = await client.translate(q, source, target, 2);
  assert.equal(answer.translatedText, translatedText);
  assert.deepEqual(answer.alternatives, alternatives);
  assert.match((await client.translate(q, source, 'xx')).error, /xx is not supported/);
});

test('translate', {skip}, async () => {
  const {source, target, translatedText} = await expected();
  const client = new translate.Translate({engine: 'libre', url: `${url}/translate`});
  assert.equal(await client(q, {from: source, to: target}), translatedText);
});

test('anylang sends a form', {skip}, async () => {
  const {source, target, translatedText} = await expected();
  const client = new LibreTranslateTranslator({apiHost: `${url}/translate`});
  assert.equal(await client.translate(q, source, target), translatedText);
  assert.deepEqual(await client.translateBatch([q, q], source, target), [translatedText, translatedText]);
});
