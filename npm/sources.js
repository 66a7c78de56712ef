/* The bytes of a model that is not a path: bytes, a Blob, a Response, or an address. */

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok)
    throw new Error(`${address}: the server answered ${response.status} ${response.statusText}`.trimEnd());
  return bytesOf(response);
}

export async function bytesOf(source) {
  if (source instanceof Uint8Array)
    return source;
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer)
    return new Uint8Array(source);
  if (typeof source?.arrayBuffer === 'function')
    return new Uint8Array(await source.arrayBuffer());
  if (source instanceof URL || typeof source === 'string')
    return fetched(source);
  throw new TypeError('a model is bytes, a Blob, a Response, an address or, in Node, a path');
}
