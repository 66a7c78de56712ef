/* The script of the playground's worker: one or two learners, and the messages of the page. */
import {Engine} from './engine.js';
import {Learner} from './learner.js';

const SLICE = 14; /* milliseconds of work before messages are read */

/* One or two learners that take turns, so that they are always at the same update. */
class Class {
  constructor(engine, list, say) {
    this.learners = list.map((settings, i) => new Learner(engine, settings, message => say({...message, run: i})));
    this.running = false;
    this.speed = 0; /* updates per second; 0: any */
    this.due = 0;
  }

  get busy() {
    return this.learners.filter(({resting}) => !resting);
  }

  /* Work for a while. Returns how many milliseconds to wait before more work; -1: there is none. */
  work() {
    const end = performance.now() + SLICE;
    while (this.running && performance.now() < end) {
      if (this.speed && performance.now() < this.due)
        return this.due - performance.now();
      this.due = performance.now() + (this.speed ? 1000 / this.speed : 0);
      this.busy.forEach(learner => learner.updateOnce());
      this.running = this.running && this.busy.length > 0;
    }
    return this.running ? 0 : -1;
  }

  start() {
    if (!this.busy.length)
      this.learners.forEach(learner => learner.goOn());
    this.learners.forEach(learner => learner.show(null));
    this.running = true;
  }

  pause() {
    this.running = false;
    this.learners.forEach(learner => learner.hold());
  }

  step() {
    this.pause();
    this.learners.forEach(learner => {
      learner.updateOnce();
      learner.hold();
    });
  }
}

/* Answers messages of a page through `port` until the page ends it. */
function serveLearners(port) {
  const say = message => port.postMessage(message), pump = new MessageChannel();
  let all = null, waiting = false;
  const again = wait => {
    if (waiting || wait < 0)
      return;
    waiting = true;
    if (wait)
      setTimeout(() => pump.port2.postMessage(0), Math.min(wait, 50));
    else
      pump.port2.postMessage(0);
  };
  const guarded = act => {
    try {
      act();
    } catch (error) {
      if (all)
        all.running = false;
      say({say: 'failed', message: error.message});
    }
  };
  pump.port1.onmessage = () => guarded(() => {
    waiting = false;
    again(all.work());
  });
  const start = () => {
    all.start();
    again(0);
  };
  const acts = {
    async start({wasm, list, running, speed}) {
      const engine = await Engine.load(wasm, {print() {}});
      guarded(() => {
        all = new Class(engine, list, say);
        all.speed = speed;
        if (running)
          start();
      });
    },
    run: start,
    pause: () => all.pause(),
    step: () => all.step(),
    speed: ({perSecond}) => Object.assign(all, {speed: perSecond, due: 0}),
    rate: ({lr}) => {
      all.learners.forEach(learner => learner.setRate(lr));
      say({say: 'rate', update: Math.max(...all.learners.map(({update}) => update)), lr});
    },
    probes: ({probes}) => all.learners.forEach(learner => learner.setProbes(probes)),
    show: ({update}) => all.learners.forEach(learner => learner.show(update)),
    explain: ({index}) => all.learners[0].explain(index),
    seen: ({run}) => { all.learners[run].seenByPage = true; },
  };
  port.onmessage = ({data}) => guarded(() => (all || data.do === 'start') && acts[data.do]?.(data));
}

serveLearners(self);
