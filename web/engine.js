/* attend.wasm as objects: models that translate and explain, training in steps, and the routes of attend serve. Everything
 * here runs to its end before it returns; run it in a worker so that a page stays responsive. src/wasm has the calls. */
import {System} from './wasi.js';

/* What an option of `attend train` or `attend translate` is called: batchTokens is batch-tokens. */
const settingOf = name => name.replace(/[A-Z]/g, letter => '-' + letter.toLowerCase());

const settingsOf = options =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [settingOf(name), value]));

export class Engine {
  /* `wasm`: the bytes of attend.wasm, or a compiled module. */
  static async load(wasm, options) {
    const system = new System(options), imports = {wasi_snapshot_preview1: system.imports};
    const made = await WebAssembly.instantiate(wasm, imports), {exports} = made.instance ?? made;
    system.use(exports.memory);
    exports._initialize();
    return new Engine(system, exports);
  }

  constructor(system, exports) {
    this.system = system;
    this.exports = exports;
    this.made = 0; /* models, runs and servers, for the names of their files */
  }

  /* Bytes in linear memory, with a 0 behind them, which the caller frees. */
  bytesIn(bytes) {
    const at = this.exports.memory_take(bytes.length + 1);
    if (!at)
      throw new Error('out of memory');
    const room = this.system.bytesAt(at, bytes.length + 1);
    room.set(bytes);
    room[bytes.length] = 0;
    return at;
  }

  textIn(text) {
    return this.bytesIn(new TextEncoder().encode(text));
  }

  textOut(at) {
    const from = new Uint8Array(this.exports.memory.buffer, at), text = from.subarray(0, from.indexOf(0));
    return new TextDecoder().decode(text);
  }

  /* A handle of what was closed is 0. */
  check(name, handle) {
    if (!this.exports || handle === 0)
      throw new Error(`${name}: it is closed`);
  }

  /* Call an export of src/wasm. Texts are passed as texts, objects as JSON; the answer is an object. */
  call(name, ...values) {
    this.check(name, values[0]);
    const texts = [];
    const passed = values.map(value => {
      if (typeof value === 'number')
        return value;
      texts.push(this.textIn(typeof value === 'string' ? value : JSON.stringify(value)));
      return texts.at(-1);
    });
    const at = this.exports[name](...passed);
    texts.forEach(text => this.exports.memory_free(text));
    if (!at)
      throw new Error('out of memory');
    const answer = JSON.parse(this.textOut(at));
    this.exports.memory_free(at);
    if (answer.error)
      throw Object.assign(new Error(answer.error), {status: answer.status});
    return answer;
  }

  /* A model from the bytes of its file. `options` are those of `attend translate`. */
  openModel(bytes, options = {}) {
    const path = `/model-${++this.made}.safetensors`;
    this.system.put(path, bytes);
    try {
      return new Model(this, this.call('model_open', path, settingsOf(options)).model);
    } finally {
      this.system.remove(path);
    }
  }

  /* Pairs of romanized Hindi and English from the grammar of demo/, with their links: [[source, target, "0-0 1p2"]]. */
  grammarPairs(seed, count) {
    return this.call('grammar_pairs', seed, count).pairs;
  }

  /* A run of training on pairs [source, target]. `options` are those of `attend train`, and `valid` may be pairs. */
  train(pairs, {valid, ...options} = {}) {
    return new Training(this, `/run-${++this.made}`, pairs, valid, options);
  }

  /* The routes of attend serve over models, {name: bytes}. `options` are those of `attend serve`. */
  serve(models, options = {}) {
    return new Server(this, `/served-${++this.made}`, models, options);
  }

  /* Everything that was made is gone with it. */
  close() {
    this.system = this.exports = null;
  }
}

export class Model {
  constructor(engine, handle) {
    this.engine = engine;
    this.handle = handle;
  }

  ask(call, source, options) {
    return this.engine.call(call, this.handle, {source, ...options});
  }

  get info() {
    return this.engine.call('model_info', this.handle);
  }

  translate(source, options) {
    return this.ask('model_translate', source, options);
  }

  steps(source, options) {
    return this.ask('model_steps', source, options);
  }

  explain(source, options) {
    return this.ask('model_explain', source, options);
  }

  whatIf(source, focus, options) {
    return this.ask('model_what_if', source, {focus, ...options});
  }

  close() {
    this.engine.exports?.model_close(this.handle);
    this.handle = 0;
  }
}

/* A file of pairs, columns separated by tabs. */
function tableOf(pairs) {
  const lines = pairs.map((pair, i) => {
    if (pair.some(text => /[\t\r\n]/.test(text)))
      throw new Error(`pair ${i + 1}: a text has a tab or a line end`);
    return pair.join('\t') + '\n';
  });
  return new TextEncoder().encode(lines.join(''));
}

export class Training {
  constructor(engine, name, pairs, valid, options) {
    this.engine = engine;
    this.path = `${name}.safetensors`;
    this.files = {train: `${name}.tsv`, valid: `${name}-valid.tsv`, log: `${name}.log`};
    this.read = 0; /* bytes of the log */
    engine.system.put(this.files.train, tableOf(pairs));
    if (valid)
      engine.system.put(this.files.valid, tableOf(valid));
    const settings = {...settingsOf(options), train: this.files.train, model: this.path, log: this.files.log,
      'log-every': options.logEvery ?? 1, threads: 1, ...(valid ? {valid: this.files.valid} : {})};
    this.handle = engine.call('training_new', settings).training;
  }

  /* The lines that the log got since the last call, as objects. */
  reports() {
    const bytes = this.engine.system.get(this.files.log) ?? new Uint8Array(0);
    const lines = new TextDecoder().decode(bytes.subarray(this.read)).split('\n').filter(Boolean);
    this.read = bytes.length;
    return lines.map(line => JSON.parse(line));
  }

  /* Make up to so many updates. */
  advance(updates = 1) {
    const {ended} = this.engine.call('training_advance', this.handle, updates);
    return {ended, reports: this.reports()};
  }

  setLearningRate(lr) {
    this.engine.check('setLearningRate', this.handle);
    this.engine.exports.training_set_lr(this.handle, lr);
  }

  /* The bytes of a model file with the weights of this moment. */
  save() {
    const path = `${this.path}.now`;
    this.engine.call('training_save', this.handle, path);
    const bytes = this.engine.system.get(path).slice();
    this.engine.system.remove(path);
    return bytes;
  }

  /* The model that validated best so far; undefined if none has been kept yet. */
  best() {
    return this.engine.system.get(this.path)?.slice();
  }

  close() {
    this.engine.exports?.training_free(this.handle);
    for (const path of [...Object.values(this.files), this.path, `${this.path}.ckpt`])
      this.engine.system?.remove(path);
    this.handle = 0;
  }
}

export class Server {
  constructor(engine, name, models, options) {
    this.engine = engine;
    const names = Object.keys(models), files = names.map((_, i) => `${name}-${i}.safetensors`);
    names.forEach((model, i) => engine.system.put(files[i], models[model]));
    try {
      this.handle = engine.call('server_new', {...settingsOf(options), model: files, name: names}).server;
    } finally {
      files.forEach(file => engine.system.remove(file));
    }
  }

  /* The response to a request as {status, headers, body}; `body`, bytes or null, is of the content type `type`. */
  request(method, path, type, body) {
    this.engine.check('request', this.handle);
    const {exports} = this.engine, [place, query = ''] = path.split(/\?(.*)/s);
    const texts = [method, place, query, type ?? ''].map(text => this.engine.textIn(text));
    const bytes = this.engine.bytesIn(body ?? new Uint8Array(0));
    const exchange = exports.server_request(this.handle, ...texts.slice(0, 3), body ? texts[3] : 0, bytes, body?.length ?? 0);
    [...texts, bytes].forEach(exports.memory_free);
    if (!exchange)
      throw new Error('out of memory');
    try {
      return this.responseOf(exchange);
    } finally {
      exports.exchange_end(exchange);
    }
  }

  responseOf(exchange) {
    const {exports, system} = this.engine, headers = {};
    for (let i = 0, name; (name = exports.exchange_field_name(exchange, i)); i++)
      headers[this.engine.textOut(name)] = this.engine.textOut(exports.exchange_field_value(exchange, i));
    const body = system.bytesAt(exports.exchange_body(exchange), exports.exchange_size(exchange)).slice();
    return {status: exports.exchange_code(exchange), headers, body};
  }

  close() {
    this.engine.exports?.server_free(this.handle);
    this.handle = 0;
  }
}
