/* The upper half of the playground: how training goes, in numbers and curves. */
import {drawCurves, drawLengths} from './curves.js';
import {find, make} from './dom.js';
import {accuracy, lossAt, nameOf, testAt} from './runs.js';
import {number, percent} from './stepper.js';

const HEIGHT = 108, MOST_LEAST = 20; /* pixels of a curve, and the updates that its axis has at least */

function drawTransport(runs) {
  const {running, seconds, update, trouble, first} = runs;
  find('play').firstChild.textContent = running ? 'Pause' : update ? 'Train on' : 'Train';
  find('play').classList.toggle('on', running);
  find('trouble').hidden = !trouble;
  find('trouble').textContent = trouble ?? '';
  const took = update && seconds > 0.2 ? [` in ${number(seconds, 1)} s`] : [];
  find('counter').replaceChildren(make('b', {textContent: String(update)}), ' updates', ...took);
  find('counter').title = first.parameters ? `${first.parameters.toLocaleString('en')} weights` : '';
}

function drawTime(runs, update, isNow) {
  const slider = find('moment');
  slider.max = runs.update;
  slider.disabled = !runs.first.snapshots.length || runs.update === 0;
  slider.value = update;
  slider.setAttribute('aria-valuetext', `update ${update}`);
  find('moment-value').textContent = isNow ? 'now' : `update ${update}`;
}

function drawAllCurves({all, update: last}, update, isNow) {
  const width = find('losses').parentElement.clientWidth, most = Math.max(last, MOST_LEAST);
  const box = {width, height: HEIGHT, most, cursor: isNow ? null : update};
  drawCurves(find('losses'), all.map(({losses: points, kind}) => ({points, kind})), box);
  const rights = all.map(({tests, kind}) => ({points: tests.map(test => [test.update, accuracy(test) ?? 0]), kind}));
  drawCurves(find('rights'), rights, {...box, percent: true});
  const lengths = all.map(run => ({kind: run.kind, groups: testAt(run, update)?.groups ?? []}));
  find('lengths-figure').hidden = !(lengths[0].groups.length > 1);
  drawLengths(find('lengths'), lengths, {width: find('lengths').parentElement.clientWidth || width, height: HEIGHT});
}

/* The same in words. */
function tellCurves({all}, update) {
  const losses = all.map(run => number(lossAt(run, update), 3));
  const rights = all.map(run => percent(accuracy(testAt(run, update))));
  const tell = (id, text) => find(id).setAttribute('aria-label', text);
  const each = values => values.map((value, i) => `${nameOf(all[i])} ${value}`).join(', ');
  const groups = run => (testAt(run, update)?.groups ?? [])
    .map(({from, to, right, of}) => `length ${from} to ${to}, ${right} of ${of}`);
  find('loss').textContent = losses.join(' / ');
  find('right').textContent = rights.join(' / ');
  tell('losses', `Loss per word at update ${update}: ${each(losses)}`);
  tell('rights', `Test sequences right at update ${update}: ${each(rights)}`);
  tell('lengths', all.map(run => `${nameOf(run)}: ${groups(run).join('; ')}`).join('. '));
}

/* `update` is what the page shows, which is the last one if `isNow`. */
export function drawTraining(runs, update, isNow) {
  drawTransport(runs);
  drawTime(runs, update, isNow);
  drawAllCurves(runs, update, isNow);
  tellCurves(runs, update);
  find('legend').hidden = runs.all.length < 2;
  find('legend').replaceChildren(...runs.all.map(run => make('li', {className: run.kind, textContent: nameOf(run)})));
}
