/* Files in the forms that attend.wasm reads: the browser decodes sound to WAV of 16 bits, and images to PGM. Only a page that
 * is a single file needs this; attend serve has libraries for it. */
import {decode} from './recorder.js';

const startOf = async blob => new Uint8Array(await blob.slice(0, 36).arrayBuffer());
const textAt = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to));

/* WAV files of 16 bits stay as they are, with their rate. */
async function plainSound(blob) {
  const start = await startOf(blob);
  const isPlain = textAt(start, 0, 4) === 'RIFF' && textAt(start, 8, 16) === 'WAVEfmt ' && start[20] === 1 && start[34] === 16;
  return isPlain ? blob : decode(blob);
}

/* On white, where an image is transparent. */
async function plainImage(blob) {
  if (/^P[25]/.test(textAt(await startOf(blob), 0, 2)))
    return blob;
  const image = await createImageBitmap(blob), {width, height} = image;
  const paper = new OffscreenCanvas(width, height).getContext('2d');
  paper.fillStyle = 'white';
  paper.fillRect(0, 0, width, height);
  paper.drawImage(image, 0, 0);
  const {data} = paper.getImageData(0, 0, width, height);
  const gray = Uint8Array.from({length: width * height}, (_, i) =>
    Math.round(0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]));
  return new Blob([`P5 ${width} ${height} 255\n`, gray]);
}

const kinds = {
  wav: {make: plainSound, failure: 'This browser cannot decode that sound'},
  image: {make: plainImage, failure: 'This browser cannot decode that image'},
};

/* The file as a reader takes it; rejects with a sentence. */
export async function plain(reader, blob) {
  const kind = kinds[reader];
  return kind ? kind.make(blob).catch(() => { throw new Error(kind.failure); }) : blob;
}
