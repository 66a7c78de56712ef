/* The script of a worker that has the engine: its other end is borrow(worker) of remote.js. */
import {Engine} from './engine.js';
import {lend} from './remote.js';

lend(self, {load: wasm => Engine.load(wasm)});
