/* A canvas to draw ink on with a mouse, a pen or a finger, and the ink as InkML. */

const LINE = 3;

const round = x => Math.round(10 * x) / 10;

/* strokes: [[{x, y}]] in pixels, y down. */
export function toInkml(strokes) {
  const traces = strokes.map(points => `<trace>${points.map(({x, y}) => `${round(x)} ${round(y)}`).join(', ')}</trace>`);
  return `<ink xmlns="http://www.w3.org/2003/InkML">${traces.join('')}</ink>\n`;
}

/* canvas: fills its parent; changed(strokes) is called when a stroke ends or is taken back. */
export function penOn(canvas, changed) {
  let strokes = [], stroke = null;

  function paint() {
    const context = canvas.getContext('2d'), scale = devicePixelRatio || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    Object.assign(context, {lineWidth: LINE, lineCap: 'round', lineJoin: 'round', strokeStyle: getComputedStyle(canvas).color});
    for (const points of stroke ? [...strokes, stroke] : strokes) {
      context.beginPath();
      points.forEach(({x, y}, i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
      if (points.length === 1)
        context.lineTo(points[0].x + 0.1, points[0].y);
      context.stroke();
    }
  }

  function fit() {
    const scale = devicePixelRatio || 1, width = Math.round(canvas.clientWidth * scale);
    const height = Math.round(canvas.clientHeight * scale);
    if (canvas.width === width && canvas.height === height)
      return;
    Object.assign(canvas, {width, height});
    paint();
  }

  /* A pen reports points between two events. */
  function addPoints(event) {
    const box = canvas.getBoundingClientRect(), all = event.getCoalescedEvents?.() ?? [];
    for (const {clientX, clientY} of all.length ? all : [event])
      stroke.push({x: clientX - box.left, y: clientY - box.top});
    paint();
  }

  function end() {
    if (!stroke)
      return;
    strokes.push(stroke);
    stroke = null;
    paint();
    changed(strokes);
  }

  canvas.addEventListener('pointerdown', event => {
    if (event.button !== 0 || stroke)
      return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    stroke = [];
    addPoints(event);
  });
  canvas.addEventListener('pointermove', event => stroke && addPoints(event));
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  new ResizeObserver(fit).observe(canvas);
  return {
    undo() {
      strokes.pop();
      paint();
      changed(strokes);
    },
    clear() {
      strokes = [];
      paint();
      changed(strokes);
    },
    paint,
  };
}
