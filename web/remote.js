/* Objects of a worker, used from outside: lend(port, object) on the worker's side, borrow(port) on the other. There, methods
 * and getters return promises. A result that has a method close() is lent in its turn, until that is called; any other
 * result is copied. `port` has postMessage, onmessage and onerror. */

export function lend(port, root) {
  const lent = new Map([[0, root]]);
  let made = 0;

  function copied(value) {
    if (typeof value?.close !== 'function')
      return {value};
    lent.set(++made, value);
    return {object: made};
  }

  async function answer({object, name, values}) {
    const on = lent.get(object);
    if (!on)
      throw new Error(`${name}: it is closed`);
    const value = await (typeof on[name] === 'function' ? on[name](...values) : on[name]);
    if (name === 'close')
      lent.delete(object);
    return copied(value);
  }

  port.onmessage = async ({data: {id, ...call}}) => {
    try {
      port.postMessage({id, ...await answer(call)});
    } catch ({message, status}) {
      port.postMessage({id, error: {message, status}});
    }
  };
}

export function borrow(port) {
  const waiting = new Map();
  let asked = 0, over = null; /* why nothing is answered any more */

  port.onmessage = ({data: {id, value, object, error}}) => {
    const {resolve, reject} = waiting.get(id);
    waiting.delete(id);
    if (error)
      reject(Object.assign(new Error(error.message), error));
    else
      resolve(object ? standIn(object) : value);
  };
  port.onerror = ({message}) => {
    over = message ?? 'the worker ended';
    waiting.forEach(({reject}) => reject(new Error(over)));
    waiting.clear();
  };

  const call = (object, name, values) => new Promise((resolve, reject) => {
    if (over)
      throw new Error(over);
    waiting.set(++asked, {resolve, reject});
    port.postMessage({id: asked, object, name, values});
  });
  /* A promise must not take it for another promise, which has `then`. */
  const standIn = object => new Proxy({}, {
    get: (self, name) => typeof name !== 'string' || name === 'then' ? undefined : (...values) => call(object, name, values),
  });
  return standIn(0);
}
