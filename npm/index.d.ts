/** Numbers in rows: `data[t * shape[1] + s]` of a matrix with `shape` [target tokens, source tokens]. */
export interface Matrix {
  data: Float32Array;
  shape: number[];
}

/** What a model can be read from: its bytes, an address or, in Node, a path. */
export type Source = Uint8Array | ArrayBuffer | ArrayBufferView | Blob | Response | URL | string;

export interface EngineOptions {
  /** Run in a worker, so that a page stays responsive; the default. Otherwise calls block until they are done. */
  worker?: boolean;
  /** Another attend.wasm than that of the package. */
  wasm?: Source;
}

/** Options of `attend translate`, in camelCase: beam, lengthPenalty, maxLength, sample, temperature, seed ... */
export interface SearchOptions {
  beam?: number;
  lengthPenalty?: number;
  maxLength?: number;
  seed?: number;
  [option: string]: unknown;
}

/** Make the model look at source token `source` with this weight when it writes target token `target`; from 0. */
export interface Focus {
  target: number;
  source: number;
  weight: number;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** Languages, for models that have several pairs. */
  from?: string;
  to?: string;
}

/** Constraints on one translation. */
export interface TranslateOptions extends CallOptions {
  beam?: number;
  /** The translation begins with this text. */
  prefix?: string;
  /** It has these phrases. */
  require?: string[];
  focus?: Focus[];
}

export interface Translation {
  /** Tokens; the last one is `</s>`. */
  source: string[];
  target: string[];
  text: string;
  /** Of each target token, over the source tokens; null for a model without attention. */
  attention: Matrix | null;
  /** [heads, target tokens, source tokens]; only of models with several heads. */
  heads?: Matrix;
  /** Log-probability per token, as the search ranks hypotheses. */
  score: number;
  logProbability: number;
  tokenScores: Float32Array;
  probability: number;
  tokenProbabilities: Float32Array;
  confidence?: number;
  /** Of the probability of all hypotheses that were returned. */
  share?: number;
  alternatives?: Omit<Translation, 'source' | 'alternatives'>[];
}

export interface Step {
  step: number;
  previous: string;
  word: string;
  probability: number;
  /** [heads, source tokens]: before the softmax, and after. */
  scores: Matrix;
  weights: Matrix;
  state: Float32Array;
  query: Float32Array;
  gates: Record<string, Float32Array>;
  stateNorm: number;
  queryNorm: number;
  contextNorm: number;
  likeliest?: {word: string; probability: number}[];
}

export interface Steps {
  source: string[];
  target: string[];
  logProbability: number;
  heads: number;
  steps: Step[];
}

export interface Explanation {
  source: string[];
  target: string[];
  logProbability: number;
  attention: Matrix | null;
  /** What each target token loses in log-probability without a source token; NaN for `</s>`. */
  leaveOneOut: Matrix;
  /** Only of models whose weights are floats. */
  gradient: Matrix | null;
  integratedGradients: Matrix | null;
  /** Rank correlations of the attention with the others. */
  kendall: Record<string, {mean: number | null; words: Float32Array}> | null;
  spearman: Record<string, {mean: number | null; words: Float32Array}> | null;
}

export interface WhatIf {
  before: Translation;
  after: Translation;
  logProbabilityOfBefore: number;
  change: number;
}

export interface ModelInfo {
  attention: string;
  placement: string;
  cell: string;
  emb: number;
  hidden: number;
  heads: number;
  sourceVocab: number;
  targetVocab: number;
  parameters: number;
  int8: boolean;
  calibrated: boolean;
  longestSource: number;
  frames: string | null;
  pairs: {from: string; to: string}[];
  examples: string[];
}

export interface Model {
  readonly info: ModelInfo;
  translate(source: string, options?: TranslateOptions): Promise<Translation>;
  translate(source: string[], options?: TranslateOptions): Promise<Translation[]>;
  /** The best translations, the best one first. */
  nbest(source: string, count: number, options?: TranslateOptions): Promise<Translation[]>;
  /** The probability and the attention of a given translation. */
  score(source: string, target: string, options?: CallOptions): Promise<Translation>;
  /** Every step of the decoder; `top`: with so many likely words each. */
  steps(source: string, options?: CallOptions & {target?: string; focus?: Focus[]; top?: number}): Promise<Steps>;
  /** Which source tokens mattered. */
  explain(source: string, options?: CallOptions & {target?: string; igSteps?: number}): Promise<Explanation>;
  /** The translation without and with a focus. */
  whatIf(source: string, focus: Focus[], options?: CallOptions & {target?: string}): Promise<WhatIf>;
  close(): Promise<void>;
}

/** A line of the training log: its `event` is "start", "progress", "valid", "end" ... */
export interface Report {
  event: string;
  [name: string]: unknown;
}

/** Options of `attend train`, in camelCase: attention, cell, emb, hidden, tokenizer, lr, maxUpdates, seed ... */
export interface TrainOptions {
  valid?: [string, string][];
  attention?: string;
  cell?: string;
  emb?: number;
  hidden?: number;
  tokenizer?: string;
  lr?: number;
  maxUpdates?: number;
  maxEpochs?: number;
  seed?: number;
  [option: string]: unknown;
}

export interface TrainToEndOptions extends TrainOptions {
  /** Called for each line of the log; training waits for it. */
  onReport?: (report: Report) => void | Promise<void>;
  /** Stops training: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Updates between looks at the log and at the signal; 10 unless given. */
  every?: number;
}

/** Training under control of the caller. */
export interface Training {
  advance(updates?: number): Promise<{ended: boolean; reports: Report[]}>;
  setLearningRate(rate: number): Promise<void>;
  /** A model with the weights of this moment. */
  save(): Promise<Uint8Array>;
  /** The model that validated best so far; undefined if there is none yet. */
  best(): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** Models and runs of training that share a worker, or none. */
export interface Engine {
  load(source: Source, options?: SearchOptions): Promise<Model>;
  /** The bytes of a trained model: the one that validated best, or the last one. */
  train(pairs: [string, string][], options?: TrainToEndOptions): Promise<Uint8Array>;
  startTraining(pairs: [string, string][], options?: TrainOptions): Promise<Training>;
  /** Ends the worker; what waits for an answer is rejected. */
  close(): Promise<void>;
}

/** Failures of the library have its words and a status such as "USAGE", "FORMAT" or "DATA". */
export interface AttendError extends Error {
  status?: string;
}

export function createEngine(options?: EngineOptions): Promise<Engine>;
/** A model with a worker of its own. */
export function load(source: Source, options?: EngineOptions & SearchOptions): Promise<Model>;
/** Train with a worker of its own, and get the bytes of the model. */
export function train(pairs: [string, string][], options?: EngineOptions & TrainToEndOptions): Promise<Uint8Array>;
