/* The script of a worker in Node: worker.js is that of browsers. */
import {webcrypto} from 'node:crypto';
import {parentPort} from 'node:worker_threads';
import {Engine} from './engine.js';
import {lend} from './remote.js';

lend(parentPort, {load: wasm => Engine.load(wasm, {random: bytes => webcrypto.getRandomValues(bytes)})});
