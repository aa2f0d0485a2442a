// Speaks to the server: DynamoDB's own protocol for data, JSON under /_/ for the control interface.

import { kSignatureErrors, kStreamOperations } from './operations.js';

const kUnknownCaller = { accessKeyId: 'MAGNETOBROWSER', secretAccessKey: '', sessionToken: '' };
const kMain = 'main';

const listeners = new Map();

function emit(event, detail) {
  for (const listener of listeners.get(event) ?? []) listener(detail);
}

// A token in the address is taken out of it, so that it is in no history and no bookmark.
function findToken() {
  const given = /^#token=([^&/]+)/.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem('magneto-token', decodeURIComponent(given));
    history.replaceState(null, '', location.pathname + location.search);
  }
  const carried = document.querySelector('meta[name="magneto-token"]')?.content;
  return sessionStorage.getItem('magneto-token') || carried || '';
}

// What the page knows of the server and of its reader. Events: 'status', 'namespace',
// 'credentials', 'token', 'sign-in' (a signature is wanted and there are no keys, or wrong ones).
export const session = {
  status: null, // the body of GET /_/status; null as long as there is none
  ready: null, // a promise, kept when `status` has been asked for
  token: findToken(),
  namespace: sessionStorage.getItem('magneto-namespace') || kMain,
  region: localStorage.getItem('magneto-region') || 'us-east-1',
  credentials: kUnknownCaller, // in memory alone

  get signs() { return Boolean(this.credentials.secretAccessKey); },
  has(feature) { return this.status?.features?.includes(feature) ?? false; },

  on(event, listener, { signal } = {}) {
    if (!listeners.has(event)) listeners.set(event, new Set());
    listeners.get(event).add(listener);
    signal?.addEventListener('abort', () => listeners.get(event).delete(listener));
  },
  setNamespace(name) {
    if (name === this.namespace) return;
    this.namespace = name;
    sessionStorage.setItem('magneto-namespace', name);
    emit('namespace', name);
  },
  // null: the unknown caller again.
  setCredentials(credentials, region = this.region) {
    this.credentials = credentials ?? kUnknownCaller;
    this.region = region;
    localStorage.setItem('magneto-region', region);
    emit('credentials', this.credentials);
  },
  setToken(token) {
    this.token = token;
    sessionStorage.setItem('magneto-token', token);
    this.ready = loadStatus();
    emit('token', token);
  },
};

async function loadStatus() {
  const { status, body } = await control('GET', '/_/status');
  session.status = status === 200 ? body : null;
  emit('status', session.status);
}

function parse(text) {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}

async function send(path, init) {
  try {
    const response = await fetch(path, { cache: 'no-store', credentials: 'omit', ...init });
    return { response, text: await response.text() };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    return { response: null, text: '' };
  }
}

const kNoAnswer = 'Magneto does not respond. Check that the server process is running.';

function findError(response, text, output) {
  if (!response) return { type: 'NoAnswer', message: kNoAnswer, status: 0, raw: '' };
  if (response.ok && output) return null;
  const type = String(output?.__type ?? '').split('#').pop() || `HTTP ${response.status}`;
  const message = output?.message ?? output?.Message ?? (text || response.statusText);
  return { type, message: String(message), status: response.status, raw: text };
}

// A header that names the caller, for a server that compares no signatures.
function claim({ accessKeyId }, region) {
  const date = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  return {
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${date.slice(0, 8)}/${region}/dynamodb/aws4_request, `
      + `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
    'X-Amz-Date': date,
  };
}

async function headersFor(target, body) {
  const { credentials, region } = session;
  const plain = { 'Content-Type': 'application/x-amz-json-1.0', 'X-Amz-Target': target };
  if (session.namespace !== kMain) plain['X-Magneto-Namespace'] = session.namespace;
  if (!session.signs) return { ...plain, ...claim(credentials, region) };
  const { sign } = await import('./signature.js');
  const headers = { host: location.host };
  for (const [name, value] of Object.entries(plain)) headers[name.toLowerCase()] = value;
  return { ...plain, ...await sign({ credentials, region, headers, body }) };
}

// Calls DynamoDB. Throws only what AbortController makes. `milliseconds` is the whole way there and
// back; `error.raw` and `raw` are the answer as it came.
export async function call(operation, input = {}, { signal } = {}) {
  await session.ready;
  const service = kStreamOperations.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
  const body = JSON.stringify(input);
  const headers = await headersFor(`${service}.${operation}`, body);
  const start = performance.now();
  const { response, text } = await send('/', { method: 'POST', headers, body, signal });
  const milliseconds = performance.now() - start;
  const output = parse(text);
  const error = findError(response, text, output);
  if (error && kSignatureErrors.has(error.type)) emit('sign-in', error);
  const requestId = response?.headers.get('x-amzn-RequestId') ?? '';
  return { output: error ? null : output, milliseconds, requestId, error, raw: text };
}

// Asks the control interface. `status` 0: no answer. `body` is null when it is no JSON; `text` is it as it came.
export async function control(method, path, body, { signal } = {}) {
  const headers = {};
  if (session.token) headers.Authorization = `Bearer ${session.token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { response, text } = await send(path, { method, headers, body: sent, signal });
  if (!response) return { status: 0, body: { error: kNoAnswer }, text };
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '');
  return { status: response.status, body: isJson ? parse(text) : null, text };
}

session.ready = loadStatus();
