/* The result of a model that writes by hand: a pen moves, and the tokens that the model looks at light up. */

const HEIGHT = 120, STROKES_PER_SECOND = 60;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/* [{x, y, lift}] of strokes [dx, dy, lift]. */
function pointsOf(strokes) {
  let x = 0, y = 0;
  return strokes.map(([dx, dy, lift]) => ({x: x += dx, y: y += dy, lift}));
}

/* The path through the first `count` points; a single point of a stroke is a dot. */
function pathOf(points, count) {
  let path = '', up = true;
  for (const {x, y, lift} of points.slice(0, count)) {
    path += up ? `M${x} ${y}h0` : `L${x} ${y}`;
    up = lift === 1;
  }
  return path;
}

/* root: the element .hand of a panel. Returns show(answer), for an answer of /write. */
export function handOf(root) {
  const part = name => root.querySelector(name), svg = part('svg'), time = part('input'), play = part('.play');
  let points = [], weights = [], at = 0, playing = false, before = null, spans = [];

  function show() {
    const count = Math.floor(at), last = points[count - 1], writes = count > 0 && count < points.length;
    part('.written').setAttribute('d', pathOf(points, count));
    part('.nib').setAttribute('visibility', writes ? 'visible' : 'hidden');
    part('.nib').setAttribute('cx', last?.x ?? 0);
    part('.nib').setAttribute('cy', last?.y ?? 0);
    time.value = count;
    play.textContent = playing ? 'Pause' : 'Play';
    spans.forEach((span, s) => span.style.setProperty('--weight', writes ? weights?.[count - 1]?.[s] ?? 0 : 0));
  }

  function tick(now) {
    if (!playing)
      return;
    at = Math.min(points.length, at + (before === null ? 0 : (now - before) / 1000 * STROKES_PER_SECOND));
    before = now;
    playing = at < points.length;
    show();
    requestAnimationFrame(tick);
  }

  function start(from) {
    at = from;
    before = null;
    const moves = playing;
    playing = true;
    if (!moves)
      requestAnimationFrame(tick);
    show();
  }

  play.addEventListener('click', () => {
    if (!playing)
      return start(at < points.length ? at : 0);
    playing = false;
    return show();
  });
  part('.replay').addEventListener('click', () => start(0));
  time.addEventListener('input', () => {
    playing = false;
    at = Number(time.value);
    show();
  });

  return answer => {
    points = pointsOf(answer.strokes);
    weights = answer.attention;
    const xs = [0, ...points.map(p => p.x)], ys = [0, ...points.map(p => p.y)];
    const left = Math.min(...xs), top = Math.min(...ys), wide = Math.max(...xs) - left || 1, tall = Math.max(...ys) - top || 1;
    const pen = tall / HEIGHT * 2.4, pad = 4 * pen;
    svg.setAttribute('viewBox', `${left - pad} ${top - pad} ${wide + 2 * pad} ${tall + 2 * pad}`);
    svg.setAttribute('height', HEIGHT);
    svg.setAttribute('aria-label', `${answer.text}, written by hand`);
    part('.rest').setAttribute('d', pathOf(points, points.length));
    for (const path of svg.querySelectorAll('path'))
      path.setAttribute('stroke-width', pen);
    part('.nib').setAttribute('r', 2 * pen);
    time.max = points.length;
    spans = answer.source.map(token => {
      const span = document.createElement('span');
      span.textContent = token === ' ' ? '␣' : token;
      return span;
    });
    part('.tokens').replaceChildren(...spans);
    if (still.matches) {
      playing = false;
      at = points.length;
      show();
    } else
      start(0);
  };
}
