/* Example lines of the model as buttons: a click puts one into the field. */

const FEW = 3;

/* A few of the lines, of all lengths: the server gives one of middle length first, then short to long. */
function some(lines) {
  const step = Math.max(lines.length / FEW, 1);
  return Array.from({length: Math.min(FEW, lines.length)}, (_, i) => lines[Math.floor(i * step)]);
}

/* bar: the element to fill; choose(line) is called for a click. Returns show(lines, text), which fills the bar for a
 * model; `text` is in the field now. */
export function exampleBar(bar, choose) {
  let all = false, shown = [];

  function button(line, text) {
    const node = document.createElement('button');
    Object.assign(node, {type: 'button', className: 'example', textContent: line.replaceAll('\t', ' \u00b7 '), title: line, dir: 'auto'});
    node.setAttribute('aria-current', line === text);
    node.onclick = () => choose(line);
    return node;
  }

  function more(lines, text) {
    const node = document.createElement('button');
    Object.assign(node, {type: 'button', className: 'plain', textContent: all ? 'Fewer' : `${lines.length - FEW} more`});
    node.setAttribute('aria-expanded', all);
    node.onclick = () => {
      all = !all;
      fill(lines, text);
      bar.lastElementChild.firstElementChild.focus();
    };
    return node;
  }

  function fill(lines, text) {
    const nodes = (all ? lines : some(lines)).map(line => button(line, text));
    if (lines.length > FEW)
      nodes.push(more(lines, text));
    bar.replaceChildren(...nodes.map(node => {
      const item = document.createElement('li');
      item.append(node);
      return item;
    }));
    bar.hidden = !lines.length;
  }

  return (lines, text) => {
    if (lines === shown) {
      const named = [...bar.querySelectorAll('.example')];
      named.forEach(node => node.setAttribute('aria-current', node.title === text));
      return;
    }
    shown = lines;
    all = false;
    fill(lines, text);
  };
}
