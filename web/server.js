/* Requests to the server, with retries: {"error": message} becomes an Error with this message and a status. In a page that
 * is a single file, the server is inside. */
import {isInside} from './inside.js';
import {keep, kept} from './keep.js';
import {fetchHere} from './local.js';

const TRIES = 6, WAIT_MOST = 30; /* seconds */

let key = kept('sessionStorage', 'key') ?? '';
export function useKey(text) {
  key = text;
  keep('sessionStorage', 'key', text);
}

export const hasKey = () => Boolean(key);

function failure(words, status) {
  return Object.assign(new Error(words), {status});
}

/* Retry-After is a number of seconds or a date. */
function secondsToWait(response) {
  const text = response.headers.get('Retry-After') ?? '1', seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(text) - Date.now()) / 1000;
  return Math.min(Math.max(Number.isFinite(wait) ? wait : 1, 0.2), WAIT_MOST);
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, {once: true});
  });
}

function posted(body) {
  if (!(body instanceof FormData))
    return {headers: {'Content-Type': 'application/json'}, body: JSON.stringify(key ? {...body, api_key: key} : body)};
  if (key)
    body.set('api_key', key);
  return {body};
}

async function send(path, body, signal) {
  try {
    return await (isInside ? fetchHere : fetch)(path, body ? {method: 'POST', ...posted(body), signal} : {signal});
  } catch (error) {
    if (error.name === 'AbortError' || isInside)
      throw error;
    throw failure('The server does not answer. Is it still running?', 0);
  }
}

async function wordsOf(response) {
  const answer = await response.json().catch(() => null);
  return typeof answer?.error === 'string' ? answer.error
    : `The server answered ${response.status} ${response.statusText}`.trim();
}

/* A form with a file, {blob, name}, for ask and askText. */
export function formOf(fields, {blob, name}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && value !== false)
      form.set(field, typeof value === 'object' ? JSON.stringify(value) : value);
  form.set('file', blob, name);
  return form;
}

/* The response to GET (body null) or POST. If the server is busy, the request is repeated when it says; meanwhile
 * options.waiting(seconds) is called. */
async function request(path, body, {signal, waiting} = {}) {
  for (let tries = 1;; tries++) {
    const response = await send(path, body, signal);
    if (response.ok)
      return response;
    const busy = response.status === 503 || response.status === 429;
    if (!busy || tries === TRIES)
      throw failure(await wordsOf(response), response.status);
    const seconds = secondsToWait(response);
    waiting?.(seconds);
    await pause(seconds, signal);
  }
}

export async function ask(path, body, options) {
  const response = await request(path, body, options);
  return response.json().catch(error => {
    throw error.name === 'AbortError' ? error : failure('The reply of the server is not JSON', response.status);
  });
}

export async function askText(path, body, options) {
  return (await request(path, body, options)).text();
}
