/* The fold-out of a panel that shows how a transformer encoder reads the source: a small picture of each layer and head,
 * and a large one of the chosen. */
import {clear, colorOf, drawHeatmap} from './attention.js';
import {scales} from './colors.js';
import {follow, say} from './follow.js';
import {readable} from './tokens.js';

const VALUES_MOST = 12; /* larger matrices show no numbers */
const HEIGHT_MOST = 520;

/* One pixel for each weight; the style scales it up. */
function thumbnail(weight, scale) {
  const count = weight.length, canvas = Object.assign(document.createElement('canvas'), {width: count, height: count});
  const pen = canvas.getContext('2d');
  weight.forEach((row, i) => row.forEach((x, j) => {
    pen.fillStyle = colorOf(scale, x);
    pen.fillRect(j, i, 1, 1);
  }));
  return canvas;
}

/* root: the element .encoder of a panel. Returns show(isThere, request, isDark): `request`, a promise of the answer of
 * /self-attention, is called when the fold-out is open; the same request is not made twice. */
export function encoderOf(root) {
  const part = name => root.querySelector(name), svg = part('.picture');
  let answer = null, chosen = 0, dark = false, key = '', wanted = null, stop = null;

  function draw() {
    const scale = dark ? scales.dark : scales.light, heads = answer.layers.flat(), weight = heads[chosen];
    const words = readable(answer.source), matrix = {source: words, target: words, weight};
    stop?.();
    const view = drawHeatmap(svg, matrix, {width: part('.large').clientWidth - 4, height: HEIGHT_MOST, scale,
      values: words.length <= VALUES_MOST, font: getComputedStyle(svg).fontFamily});
    svg.setAttribute('aria-label', `${name(chosen)}: where each of ${words.length} words looks. Use the arrow keys.`);
    stop = follow(svg, view, selection => say(part('.readout'), matrix, selection));
    root.querySelectorAll('.small button').forEach((button, i) => button.setAttribute('aria-pressed', i === chosen));
  }

  const name = i => `Layer ${Math.floor(i / answer.layers[0].length) + 1}, head ${i % answer.layers[0].length + 1}`;

  function fill() {
    const scale = dark ? scales.dark : scales.light, heads = answer.layers.flat();
    chosen = Math.min(chosen, heads.length - 1);
    const row = part('.small');
    row.style.setProperty('--heads', answer.layers[0].length);
    row.replaceChildren(...heads.map((weight, i) => {
      const button = Object.assign(document.createElement('button'), {type: 'button', title: name(i)});
      button.setAttribute('aria-label', name(i));
      button.append(thumbnail(weight, scale));
      button.onclick = () => {
        chosen = i;
        draw();
      };
      return button;
    }));
    draw();
  }

  function tell(words) {
    part('.wrong').textContent = words;
    part('.wrong').hidden = !words;
    part('.shown').hidden = Boolean(words) || !answer?.layers.length;
  }

  async function load() {
    if (!root.open || !wanted)
      return;
    const {request, isDark} = wanted, asked = wanted.key;
    if (key === asked && dark === isDark)
      return;
    try {
      const got = key === asked ? answer : await request();
      if (wanted?.key !== asked)
        return;
      answer = got;
      key = asked;
      dark = isDark;
      tell(answer.source.length ? '' : 'There are no words to look at.');
      if (answer.source.length)
        fill();
    } catch (error) {
      if (error.name !== 'AbortError' && wanted?.key === asked)
        tell(error.message);
    }
  }

  root.addEventListener('toggle', load);
  return next => {
    wanted = next;
    root.hidden = !next;
    if (next)
      load();
    else
      clear(svg, 0, 0);
  };
}
