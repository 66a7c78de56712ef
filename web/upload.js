/* The source of models that read files: a canvas for ink, a microphone for sound, and files for all of them. */
import {isInside} from './inside.js';
import {penOn, toInkml} from './pen.js';
import {plain} from './plain.js';
import {record, whyNot} from './recorder.js';

const kinds = {
  ink: {title: 'Ink', accept: '.inkml,.unipen,.txt', draws: true, hint: 'Draw here, or drop a file of InkML or UNIPEN'},
  wav: {title: 'Sound', accept: 'audio/*', records: true, hint: 'Record, or drop a file of sound'},
  image: {title: 'Image', accept: 'image/png,image/jpeg,.pgm', hint: 'Choose or drop a PNG, JPEG or PGM file'},
  npy: {title: 'Array', accept: '.npy,.npz', hint: 'Choose or drop a NumPy array'},
};
export const titleOf = reader => kinds[reader]?.title ?? 'File';

/* root: the element #upload; changed() is called when there is another file, or none. */
export function uploadField(root, changed) {
  const part = name => root.querySelector(name);
  const called = part('.called'), recorder = part('.record'), chooser = part('input[type=file]');
  let reader = null, file = null, count = 0, recording = null;

  /* `what` is said to the user: the file's name, or why there is none. */
  function take(blob, name, what = name) {
    file = blob && {blob, name};
    count++;
    called.textContent = what;
    changed();
  }

  const pen = penOn(part('canvas'), strokes => {
    part('.undo').disabled = part('.clear').disabled = !strokes.length;
    if (strokes.length)
      take(new Blob([toInkml(strokes)]), 'drawn.inkml', `${strokes.length} stroke${strokes.length > 1 ? 's' : ''}`);
    else
      take(null, '', kinds.ink.hint);
  });

  async function choose(chosen) {
    if (!chosen)
      return;
    if (kinds[reader].draws)
      pen.clear();
    if (!isInside)
      return take(chosen, chosen.name);
    await plain(reader, chosen).then(blob => take(blob, chosen.name), error => { called.textContent = error.message; });
  }

  async function toggleRecording() {
    try {
      if (!recording) {
        recording = await record();
        called.textContent = 'Recording …';
      } else {
        const sound = await recording.stop();
        recording = null;
        take(sound, 'recorded.wav', 'What you recorded');
      }
    } catch (error) {
      recording = null;
      called.textContent = error.message;
    }
    recorder.setAttribute('aria-pressed', Boolean(recording));
    recorder.firstElementChild.textContent = recording ? 'Stop' : 'Record';
  }

  part('.undo').addEventListener('click', pen.undo);
  part('.clear').addEventListener('click', pen.clear);
  part('canvas').addEventListener('keydown', event => {
    if (event.key === 'Escape')
      pen.clear();
    else if (event.key === 'Backspace' || (event.key === 'z' && (event.ctrlKey || event.metaKey)))
      pen.undo();
    else
      return;
    event.preventDefault();
    event.stopPropagation();
  });
  recorder.addEventListener('click', toggleRecording);
  chooser.addEventListener('change', () => {
    choose(chooser.files[0]);
    chooser.value = ''; /* so that the same file can be chosen again */
  });
  root.addEventListener('dragover', event => {
    event.preventDefault();
    root.classList.add('over');
  });
  root.addEventListener('dragleave', () => root.classList.remove('over'));
  root.addEventListener('drop', event => {
    event.preventDefault();
    root.classList.remove('over');
    choose(event.dataTransfer.files[0]);
  });

  return {
    /* Show what fits a reader; NULL: nothing. */
    show(wanted) {
      root.hidden = !kinds[wanted];
      if (!kinds[wanted] || wanted === reader)
        return;
      reader = wanted;
      const {accept, draws, records, hint} = kinds[reader];
      chooser.accept = accept;
      part('.pad').hidden = !draws;
      recorder.hidden = !records;
      recorder.disabled = Boolean(records && whyNot());
      file = null;
      count++;
      if (draws)
        pen.clear();
      called.textContent = records && whyNot() ? whyNot() : hint;
    },
    file: () => file,
    /* Another text for each file; '' when there is none. */
    key: () => file ? `file ${count}` : '',
    repaint: pen.paint,
  };
}
