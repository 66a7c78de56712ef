/* What a page that is a single file has inside (src/browser/standalone.h): data, parts, and the engine in a worker. */
import {borrow} from './remote.js';

const element = id => document.getElementById(id);

/* Whether this page is such a file. */
export const isInside = Boolean(element('given'));

/* The data that it was made with. */
export const given = () => JSON.parse(element('given').textContent);

/* The bytes of a part. */
export async function part(name) {
  try {
    const packed = Uint8Array.from(atob(element(name).textContent), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error('This page is damaged, or this browser is too old to unpack it');
  }
}

/* The only address of a script that the page's policy lets through is that of its own worker. */
const asIs = {createScriptURL: address => address};
const policy = isInside && globalThis.trustedTypes?.createPolicy('attend', asIs) || asIs;

export function startWorker() {
  const script = new Blob([element('worker').textContent], {type: 'text/javascript'});
  return new Worker(policy.createScriptURL(URL.createObjectURL(script)));
}

/* The objects of engine.js in a worker of their own, so that the page never freezes: their methods return promises. */
export async function engineInside() {
  return borrow(startWorker()).load(await part('attend.wasm'));
}
