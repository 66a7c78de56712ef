/* The default color scale of attend plot (viz/color.c): the color of the paper at 0, with lightness changing in one
 * direction. Colors between anchors are mixed in OKLab, as there. */
const light = ['#ffffff', '#e1e3c1', '#aecc9e', '#6db496', '#239898', '#027695', '#01538b', '#163172', '#151846'];
const dark = ['#16181c', '#222b54', '#1f467e', '#216598', '#2f88a0', '#51a9a3', '#7ac8a2', '#c1dfa4', '#f4f5d2'];
const STEPS = 64;

const linear = c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const gamma = c => c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;

function toOklab(hex) {
  const [r, g, b] = [1, 3, 5].map(at => linear(parseInt(hex.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s];
}

function toHex([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s]
    .map(c => Math.round(255 * Math.min(Math.max(gamma(c), 0), 1)).toString(16).padStart(2, '0'))
    .reduce((text, byte) => text + byte, '#');
}

function spread(anchors) {
  const lab = anchors.map(toOklab);
  return Array.from({length: STEPS + 1}, (_, i) => {
    const at = i / STEPS * (lab.length - 1), from = Math.min(Math.floor(at), lab.length - 2);
    return toHex(lab[from].map((value, k) => value + (at - from) * (lab[from + 1][k] - value)));
  });
}

/* In the form that the draw functions take. */
export const scales = {
  light: {steps: spread(light), none: '#b4b4b4'},
  dark: {steps: spread(dark), none: '#6e6e6e'},
};
