// The control interface under /_/: each method is one request.

/** The server refused a control request. The message is its sentence. */
export class ControlError extends Error {
  name = 'ControlError';

  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** An assertion on the journal failed. The message has a sentence for each failure. */
export class JournalError extends Error {
  name = 'JournalError';
}

function sentenceOf(text) {
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text;
  }
}

async function ask(endpoint, token, method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${endpoint}/_/${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new ControlError(answer.status, sentenceOf(text));
  return text ? JSON.parse(text) : undefined;
}

/** The clock of one namespace. Durations are texts: '25h', '90s'. */
class Clock {
  #control;

  constructor(control) {
    this.#control = control;
  }

  async now() {
    return new Date((await this.#control('GET', 'clock')).now);
  }

  async advance(by) {
    await this.#control('PUT', 'clock', { advance: by });
  }

  async set(time) {
    await this.#control('PUT', 'clock', { now: new Date(time).toISOString() });
  }

  async freeze() {
    await this.#control('PUT', 'clock', { frozen: true });
  }

  async unfreeze() {
    await this.#control('PUT', 'clock', { frozen: false });
  }

  async reset() {
    await this.#control('DELETE', 'clock');
  }
}

/** The rules by which requests of one namespace fail. */
class Faults {
  #control;

  constructor(control) {
    this.#control = control;
  }

  async add(fault, rule = {}) {
    return (await this.#control('POST', 'faults', { ...rule, fault })).id;
  }

  async list() {
    return (await this.#control('GET', 'faults')).rules;
  }

  async remove(id) {
    await this.#control('DELETE', `faults/${encodeURIComponent(id)}`);
  }

  async clear() {
    await this.#control('DELETE', 'faults');
  }
}

/** The last requests of one namespace. */
class Journal {
  #control;

  constructor(control) {
    this.#control = control;
  }

  async start(settings = {}) {
    await this.#control('PUT', 'journal', { on: true, ...settings });
  }

  async stop() {
    await this.#control('PUT', 'journal', { on: false });
  }

  async records(filters = {}) {
    const query = new URLSearchParams(filters).toString();
    return (await this.#control('GET', query ? `journal?${query}` : 'journal')).records;
  }

  async check(assertions, { after = 0 } = {}) {
    const { passed, failures } = await this.#control('POST', 'journal/assert', { after, assertions });
    if (!passed) throw new JournalError(failures.map(({ sentence }) => sentence).join('\n'));
  }

  async clear() {
    await this.#control('DELETE', 'journal');
  }
}

/** Tables of their own, with their clock, faults and journal: `main`, or a fork. Clients find it by its access key. */
export class Namespace {
  region = 'us-east-1';
  secretAccessKey = 'any';
  #home;

  constructor(endpoint, token, name, home = endpoint) {
    this.endpoint = endpoint;
    this.token = token;
    this.name = name;
    this.accessKeyId = name;
    this.#home = home;
    const control = this.control.bind(this);
    this.clock = new Clock(control);
    this.faults = new Faults(control);
    this.journal = new Journal(control);
  }

  get clientConfig() {
    const { endpoint, region, accessKeyId, secretAccessKey } = this;
    return { endpoint, region, credentials: { accessKeyId, secretAccessKey } };
  }

  control(method, path = '', body = undefined) {
    const where = `namespaces/${encodeURIComponent(this.name)}${path && `/${path}`}`;
    return ask(this.#home, this.token, method, where, body);
  }

  async fork({ name, port, expiresAfter = '10m' } = {}) {
    const wanted = { from: { namespace: this.name }, expires_after: expiresAfter, name, port: port || undefined };
    const made = await ask(this.#home, this.token, 'POST', 'namespaces', wanted);
    return new Fork(made.endpoint ?? this.#home, this.token, made.name, this.#home);
  }

  async settle(timeout = '30s') {
    await this.control('POST', 'settle', { timeout });
  }

  async reset() {
    await this.control('POST', 'reset');
  }

  async truncate(...tables) {
    return (await this.control('POST', 'truncate', tables.length ? { tables } : {})).items;
  }
}

/** A copy of a namespace, usually for one test. */
export class Fork extends Namespace {
  async delete() {
    await this.control('DELETE');
  }
}
