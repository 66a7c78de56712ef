/* The routes of attend serve in the page itself, where server.js sends its requests if the page is a single file. */
import {engineInside, given, part} from './inside.js';

const LIMITS = {maxBody: 1 << 24, maxFrames: 100000, timeout: 3600}; /* nobody else waits */

async function open() {
  const {models} = given();
  const [engine, ...bytes] = await Promise.all([engineInside(), ...models.map(model => part(model.part))]);
  return engine.serve(Object.fromEntries(models.map(({name}, i) => [name, bytes[i]])), LIMITS);
}

let server = null, last = Promise.resolve();

async function answer(path, {method, body, headers, signal}) {
  signal?.throwIfAborted();
  const packed = new Response(body), type = headers?.['Content-Type'] ?? packed.headers.get('Content-Type');
  const bytes = body ? new Uint8Array(await packed.arrayBuffer()) : null;
  server ??= open();
  const response = await (await server).request(method ?? 'GET', `/${path}`, type, bytes);
  signal?.throwIfAborted();
  return new Response(response.body, response);
}

/* Like fetch. Requests are answered one after the other, so that one that nobody waits for any more costs nothing. */
export function fetchHere(path, options = {}) {
  const response = last.then(() => answer(path, options));
  last = response.catch(() => null);
  return response;
}
