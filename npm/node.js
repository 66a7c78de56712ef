/* The package in Node. */
import {readFile} from 'node:fs/promises';
import {webcrypto} from 'node:crypto';
import {Worker} from 'node:worker_threads';
import {exportsFor} from './attend.js';
import {Engine} from './engine.js';
import {borrow} from './remote.js';
import {bytesOf} from './sources.js';

const isRemote = source => /^(https?|data|blob):/.test(String(source));
const isPath = source => typeof source === 'string' || source instanceof URL;
const read = source => isPath(source) && !isRemote(source) ? readFile(/^file:/.test(source) ? new URL(source) : source) : bytesOf(source);

/* A worker as borrow() wants it. Only what is asked and not yet answered keeps the process alive. */
function portOf(worker) {
  let waiting = 0;
  const count = change => (waiting += change) ? worker.ref() : worker.unref();
  const port = {postMessage(message) {
    count(1);
    worker.postMessage(message);
  }};
  worker.unref();
  worker.on('message', data => {
    count(-1);
    port.onmessage({data});
  });
  worker.on('error', error => port.onerror(error));
  worker.on('exit', () => port.onerror({message: 'the worker ended'}));
  return port;
}

const platform = {
  readModel: read,
  readEngine: () => readFile(new URL('./attend.wasm', import.meta.url)),

  async startEngine(wasm) {
    const engine = await Engine.load(await read(wasm), {random: bytes => webcrypto.getRandomValues(bytes)});
    return {engine, end: () => engine.close()};
  },

  async startWorker(wasm) {
    const worker = new Worker(new URL('./node_worker.js', import.meta.url), {execArgv: []});
    const engine = await borrow(portOf(worker)).load(await read(wasm));
    return {engine, end() {
      worker.ref();
      return worker.terminate();
    }};
  },
};

export const {createEngine, load, train} = exportsFor(platform);
