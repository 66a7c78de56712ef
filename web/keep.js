/* Small texts that the browser keeps for a page. Some pages may keep nothing, such as one that a phone opens from its
 * downloads: there, nothing is found again. `storage` is localStorage or sessionStorage, by name. */

export function keep(storage, name, text) {
  try {
    globalThis[storage].setItem(name, text);
  } catch { /* not here */ }
}

export function kept(storage, name) {
  try {
    return globalThis[storage].getItem(name);
  } catch {
    return null;
  }
}

/* Change the address of the page without loading anything; some pages may not. */
export function setAddress(address) {
  try {
    history.replaceState(null, '', address);
  } catch { /* not here */ }
}
