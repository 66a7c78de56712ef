/* What the package exports, for a platform: {readModel(source), readEngine(), startEngine(wasm), startWorker(wasm)}. */

/* ---- Results: names as in JavaScript, numbers as typed arrays ---- */

const isNumber = value => typeof value === 'number' || value === null;

/* The sizes of nested lists of numbers, of which null stands for NaN; null: it is something else. */
function shapeOf(list) {
  if (!Array.isArray(list) || !list.length)
    return null;
  if (list.every(isNumber))
    return list.some(value => value !== null) ? [list.length] : null;
  const row = list.map(shapeOf).find(Boolean);
  return row ? [list.length, ...row] : null;
}

const floats = list => Float32Array.from(list, value => value ?? NaN);
const camel = name => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function shaped(value) {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value))
    return value;
  const shape = shapeOf(value);
  if (shape?.length === 1)
    return floats(value);
  if (shape)
    return {data: floats(value.flat(Infinity)), shape};
  if (Array.isArray(value))
    return value.map(shaped);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [camel(name), shaped(member)]));
}

/* ---- Objects ---- */

/* An object is here or in a worker. There, getters are methods too. */
const ask = async (on, name, ...values) => shaped(await (typeof on[name] === 'function' ? on[name](...values) : on[name]));

/* The promise, or what the signal says if that is earlier. */
async function until(signal, promise) {
  if (!signal)
    return promise;
  let stop;
  const stopped = new Promise((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted)
      stop();
  });
  return Promise.race([promise, stopped]).finally(() => signal.removeEventListener('abort', stop));
}

class Model {
  #handle;
  #owned;

  constructor(handle, info, owned) {
    this.#handle = handle;
    this.#owned = owned;
    this.info = info;
  }

  #ask(name, source, {signal, ...options} = {}, ...before) {
    const one = text => ask(this.#handle, name, text, ...before, options);
    return until(signal, Array.isArray(source) ? Promise.all(source.map(one)) : one(source));
  }

  translate(source, options) {
    return this.#ask('translate', source, options);
  }

  async nbest(source, count, options) {
    const {alternatives = [], ...best} = await this.#ask('translate', source, {...options, nbest: count});
    return [best, ...alternatives.map(other => ({source: best.source, ...other}))];
  }

  score(source, target, options) {
    return this.#ask('translate', source, {...options, target});
  }

  steps(source, options) {
    return this.#ask('steps', source, options);
  }

  explain(source, options) {
    return this.#ask('explain', source, options);
  }

  whatIf(source, focus, options) {
    return this.#ask('whatIf', source, options, focus);
  }

  async close() {
    await (this.#owned ? this.#owned.close() : ask(this.#handle, 'close'));
  }
}

class Training {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  advance(updates = 1) {
    return ask(this.#handle, 'advance', updates);
  }

  setLearningRate(rate) {
    return ask(this.#handle, 'setLearningRate', rate);
  }

  save() {
    return ask(this.#handle, 'save');
  }

  best() {
    return ask(this.#handle, 'best');
  }

  async close() {
    await ask(this.#handle, 'close');
  }
}

const breath = () => new Promise(resolve => setTimeout(resolve));

/* Train to the end. The event loop turns between reports, so that signals arrive. */
async function finish(run, {onReport, signal, every}) {
  try {
    for (let ended = false; !ended; await breath()) {
      signal?.throwIfAborted();
      const turn = await run.advance(every);
      for (const report of turn.reports)
        await onReport?.(report);
      ended = turn.ended;
    }
    return await run.best() ?? await run.save();
  } finally {
    await run.close();
  }
}

class Engine {
  #handle;
  #platform;
  #end;

  constructor(handle, platform, end) {
    this.#handle = handle;
    this.#platform = platform;
    this.#end = end;
  }

  async #open(source, options, owned) {
    const handle = await this.#handle.openModel(await this.#platform.readModel(source), options);
    return new Model(handle, await ask(handle, 'info'), owned);
  }

  load(source, options) {
    return this.#open(source, options);
  }

  async startTraining(pairs, options) {
    return new Training(await this.#handle.train(pairs, options));
  }

  async train(pairs, {onReport, signal, every = 10, ...options} = {}) {
    return finish(await this.startTraining(pairs, options), {onReport, signal, every});
  }

  async close() {
    await this.#end();
  }

  /* The model, which closes the engine when it is closed. */
  static async loadAlone(engine, source, options) {
    return engine.#open(source, options, engine);
  }
}

export function exportsFor(platform) {
  async function createEngine({worker = true, wasm} = {}) {
    const bytes = wasm ?? await platform.readEngine();
    const {engine, end} = worker ? await platform.startWorker(bytes) : await platform.startEngine(bytes);
    return new Engine(engine, platform, end);
  }

  /* Do something with an engine of its own, which is closed if that fails. */
  async function alone({worker, wasm}, act) {
    const engine = await createEngine({worker, wasm});
    try {
      return await act(engine);
    } catch (error) {
      await engine.close();
      throw error;
    }
  }

  function load(source, {worker, wasm, ...options} = {}) {
    return alone({worker, wasm}, engine => Engine.loadAlone(engine, source, options));
  }

  async function train(pairs, {worker, wasm, ...options} = {}) {
    return alone({worker, wasm}, async engine => {
      const bytes = await engine.train(pairs, options);
      await engine.close();
      return bytes;
    });
  }

  return {createEngine, load, train};
}
