/* Elements of a page. */
export const find = id => document.getElementById(id);

/* A new element with properties and children; texts are children, too, and never markup. */
export function make(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
