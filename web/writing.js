// The page of handwriting: a pen follows each trace, and the tokens that the model looks at light up. The data are
// those of viz/writing_file.c: absolute points, the points after which the pen is lifted, and weights.
const data = JSON.parse(document.getElementById("data").textContent);
const HEIGHT = 110; // pixels of a line of writing
const STROKES_PER_SECOND = 60;

// The path through points [from, to); after a lift it starts anew.
function pathOf(trace, from, to) {
  let path = "";
  for (let i = from; i < to; i++) {
    const starts = i === 0 || trace.lifted.has(i - 1);
    const next = i + 1 < to && !trace.lifted.has(i);
    path += `${starts ? "M" : "L"}${trace.x[i]} ${trace.y[i]}`;
    if (starts && !next) path += "h0"; // a dot
  }
  return path;
}

function boxOf(trace) {
  const left = Math.min(...trace.x, 0), top = Math.min(...trace.y, 0);
  const width = Math.max(...trace.x, 0) - left || 1, height = Math.max(...trace.y, 0) - top || 1;
  return { left, top, width, height };
}

function makeTokens(line, trace) {
  return trace.source.map((word) => {
    const span = document.createElement("span");
    span.textContent = word === " " || word === "" ? "␣" : word;
    line.append(span);
    return span;
  });
}

function makeFigure(trace) {
  const figure = document.getElementById("trace").content.cloneNode(true).firstElementChild;
  const svg = figure.querySelector("svg"), box = boxOf(trace);
  const pen = box.height / HEIGHT * 2.4; // a line of 2.4 pixels
  trace.lifted = new Set(trace.lift);
  figure.querySelector("figcaption").textContent = trace.title;
  svg.setAttribute("aria-label", trace.title);
  svg.setAttribute("viewBox",
    `${box.left - 3 * pen} ${box.top - 3 * pen} ${box.width + 6 * pen} ${box.height + 6 * pen}`);
  svg.setAttribute("height", HEIGHT);
  for (const path of svg.querySelectorAll("path")) path.setAttribute("stroke-width", pen);
  svg.querySelector(".rest").setAttribute("d", pathOf(trace, 0, trace.x.length));
  svg.querySelector(".pen").setAttribute("r", 2 * pen);
  document.getElementById("traces").append(figure);
  return { trace, ink: svg.querySelector(".ink"), pen: svg.querySelector(".pen"),
    tokens: makeTokens(figure.querySelector(".tokens"), trace) };
}

// Show a trace after `count` of its strokes.
function showTrace({ trace, ink, pen, tokens }, count) {
  const last = Math.min(count, trace.x.length) - 1, writes = last >= 0 && count < trace.x.length;
  ink.setAttribute("d", pathOf(trace, 0, last + 1));
  pen.style.visibility = writes ? "visible" : "hidden";
  if (last >= 0) {
    pen.setAttribute("cx", trace.x[last]);
    pen.setAttribute("cy", trace.y[last]);
  }
  const weights = writes ? trace.weight[last] ?? [] : [];
  tokens.forEach((span, s) => span.style.setProperty("--weight", weights[s] ?? 0));
}

const time = document.getElementById("time"), play = document.getElementById("play");
const figures = data.traces.map(makeFigure);
const state = { at: 0, end: Math.max(0, ...data.traces.map((trace) => trace.x.length)), playing: true, before: null };

function show() {
  time.value = Math.floor(state.at);
  play.textContent = state.playing ? "Pause" : "Play";
  for (const figure of figures) showTrace(figure, Math.floor(state.at));
}

function setPlaying(playing) {
  state.playing = playing;
  state.before = null;
  if (playing && state.at >= state.end) state.at = 0;
  if (playing) requestAnimationFrame(tick);
  show();
}

function tick(now) {
  if (!state.playing) return;
  const seconds = state.before === null ? 0 : (now - state.before) / 1000;
  state.before = now;
  state.at = Math.min(state.end, state.at + seconds * STROKES_PER_SECOND * document.getElementById("speed").value);
  if (state.at >= state.end) state.playing = false;
  show();
  if (state.playing) requestAnimationFrame(tick);
}

if (data.dark) document.documentElement.dataset.theme = "dark";
time.max = state.end;
play.addEventListener("click", () => setPlaying(!state.playing));
document.getElementById("replay").addEventListener("click", () => {
  state.at = 0;
  setPlaying(true);
});
time.addEventListener("input", () => {
  state.at = Number(time.value);
  setPlaying(false);
});
// #40 opens the page after 40 strokes, paused; readers who prefer no motion see the whole trace.
const asked = Number.parseInt(location.hash.slice(1), 10);
if (Number.isFinite(asked)) state.at = Math.min(asked, state.end);
else if (matchMedia("(prefers-reduced-motion: reduce)").matches) state.at = state.end;
if (state.at > 0) {
  state.playing = false;
  show();
} else setPlaying(true);
