/* The package in browsers. */
import {exportsFor} from './attend.js';
import {Engine} from './engine.js';
import {borrow} from './remote.js';
import {bytesOf} from './sources.js';

const platform = {
  readModel: bytesOf,
  readEngine: () => bytesOf(new URL('./attend.wasm', import.meta.url)),

  async startEngine(wasm) {
    const engine = await Engine.load(await bytesOf(wasm));
    return {engine, end: () => engine.close()};
  },

  async startWorker(wasm) {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});
    const engine = await borrow(worker).load(await bytesOf(wasm));
    return {engine, end() {
      worker.terminate();
      worker.onerror({message: 'the worker ended'});
    }};
  },
};

export const {createEngine, load, train} = exportsFor(platform);
