/* Recording with a microphone, as a WAV file: mono, 16 bits, 16,000 samples a second. */

const RATE = 16000;

/* Why this page cannot record; '' if it can. */
export function whyNot() {
  if (!isSecureContext)
    return 'Browsers allow recording only on secure pages (https, or this computer): choose a file instead';
  return navigator.mediaDevices?.getUserMedia && globalThis.MediaRecorder ? ''
    : 'This browser cannot record: choose a file instead';
}

/* samples: a Float32Array from -1 to 1. */
export function toWav(samples, rate = RATE) {
  const bytes = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at, letters) => [...letters].forEach((letter, i) => bytes.setUint8(at + i, letter.charCodeAt(0)));
  text(0, 'RIFF');
  bytes.setUint32(4, 36 + 2 * samples.length, true);
  text(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, 2 * rate, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  text(36, 'data');
  bytes.setUint32(40, 2 * samples.length, true);
  samples.forEach((x, i) => bytes.setInt16(44 + 2 * i, Math.round(32767 * Math.min(Math.max(x, -1), 1)), true));
  return new Blob([bytes], {type: 'audio/wav'});
}

/* What the browser recorded, in whatever format, becomes WAV: the server need not know browsers' formats. */
export async function decode(blob) {
  const audio = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer());
  const samples = new Float32Array(audio.length);
  for (let c = 0; c < audio.numberOfChannels; c++)
    audio.getChannelData(c).forEach((x, i) => { samples[i] += x / audio.numberOfChannels; });
  return toWav(samples, audio.sampleRate);
}

/* Starts at once; resolves to {stop()}, whose result is a Blob of WAV. Rejects with a sentence. */
export async function record() {
  const why = whyNot();
  if (why)
    throw new Error(why);
  const stream = await navigator.mediaDevices.getUserMedia({audio: {channelCount: 1}}).catch(error => {
    throw new Error(error.name === 'NotAllowedError' ? 'The microphone is not allowed: allow it in the browser, or choose a file'
      : 'There is no microphone: choose a file instead');
  });
  const recorder = new MediaRecorder(stream), parts = [];
  recorder.addEventListener('dataavailable', event => parts.push(event.data));
  recorder.start();
  return {
    async stop() {
      const ended = new Promise(resolve => recorder.addEventListener('stop', resolve, {once: true}));
      recorder.stop();
      await ended;
      stream.getTracks().forEach(track => track.stop());
      return decode(new Blob(parts, {type: recorder.mimeType}));
    },
  };
}
