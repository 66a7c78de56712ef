/* The types of the package: run.sh has tsc check them. Where a comment expects an error, its absence is one. */
import {createEngine, load, train, type Explanation, type Matrix, type Translation} from '@attend/attend';

const model = await load(new URL('https://example.org/model.safetensors'), {beam: 5, worker: false});
const one: Translation = await model.translate('a', {prefix: 'b', focus: [{target: 0, source: 1, weight: 0.5}]});
const several: Translation[] = await model.translate(['a', 'b']);
const matrix: Matrix | null = one.attention;
const weight: number | undefined = matrix?.data[0];
const explanation: Explanation = await model.explain('a', {igSteps: 32});
const likely: string[] = (await model.steps('a', {top: 3})).steps.map(step => step.word);
const bytes: Uint8Array = await train([['a', 'b']], {hidden: 32, attention: 'dot', signal: new AbortController().signal,
  onReport: ({event}) => console.log(event)});
const engine = await createEngine();
const run = await engine.startTraining([['a', 'b']]);
const rate: number = (await run.advance(3)).reports.length;
console.log(several, weight, explanation.leaveOneOut.shape, likely, bytes, rate);

// @ts-expect-error: a source is no number
await load(7);
// @ts-expect-error: a focus needs its weight
await model.translate('a', {focus: [{target: 0, source: 1}]});
// @ts-expect-error: several texts have several translations
(await model.translate(['a'])).text;
// @ts-expect-error: a pair has two texts
await train([['a']]);
// @ts-expect-error: the size of a layer is a number
await train([['a', 'b']], {hidden: '32'});
// @ts-expect-error: attention may be missing
one.attention.shape;
