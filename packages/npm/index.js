// A server that ends with this process, in whatever way the process ends: its standard input is a pipe of ours.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Namespace } from './control.js';
import { checkMachine, findProgram, StartError, whyItCannotRun } from './program.js';

export { ControlError, Fork, JournalError, Namespace } from './control.js';
export { StartError } from './program.js';

const READY = /^magneto \S+ listening on (\S+?),/;
const STOP_MILLISECONDS = 30_000;

/** A server, and its namespace `main`. */
export class Server extends Namespace {
  #child;

  constructor(endpoint, token, child) {
    super(endpoint, token, 'main');
    this.#child = child;
  }

  get port() {
    return Number(new URL(this.endpoint).port);
  }

  get pid() {
    return this.#child?.pid;
  }

  async stop() {
    if (this.#child) await end(this.#child);
  }
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.stdin.end();
  const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
  await once(child, 'exit');
  clearTimeout(patience);
}

/** Resolves with the endpoint, or with undefined once the server has ended and its output was read. */
function waitForEndpoint(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(undefined));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const ready = READY.exec(line);
      if (ready) resolve(ready[1]);
    });
  });
}

function whyItEnded({ exitCode, signalCode }, errors) {
  const ending = signalCode ? `was ended by ${signalCode}` : `ended with status ${exitCode}`;
  return errors.trim() || `the server ${ending} before it listened, and did not say why`;
}

/** What the server keeps open does not keep this process running. */
function release(child) {
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.unref();
}

/** Starts a server on a free port, in memory, with these flags of its own. Rejects with a StartError. */
export async function start({ flags = [], port = 0, cwd = process.cwd(), binary = findProgram() } = {}) {
  if (!existsSync(cwd)) throw new StartError(`the folder ${cwd} does not exist`);
  checkMachine(binary);
  const token = randomBytes(16).toString('hex');
  const command = [...flags.map(String), '--port', String(port), '--control-token', token, '--end-with-stdin'];
  // Detached, so that Ctrl+C at the terminal does not end it before the tests.
  const child = spawn(binary, command, { cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}); // it has ended already; its exit says so
  let errors = '';
  const keep = (text) => { errors += text; };
  child.stderr.setEncoding('utf8').on('data', keep);
  let endpoint;
  try {
    endpoint = await waitForEndpoint(child);
  } catch (error) {
    throw new StartError(whyItCannotRun(binary, error), { cause: error });
  }
  if (!endpoint) throw new StartError(whyItEnded(child, errors));
  process.stderr.write(errors);
  child.stderr.off('data', keep).on('data', (text) => process.stderr.write(text));
  release(child);
  return new Server(endpoint, token, child);
}

/** A server that runs already: by default that of a globalSetup, or of MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN. */
export function connect(endpoint = process.env.MAGNETO_ENDPOINT, token = process.env.MAGNETO_CONTROL_TOKEN) {
  if (!endpoint || !token) {
    throw new StartError('there is no server to connect to: set MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN, or use magneto/vitest or ' +
      'magneto/jest as globalSetup');
  }
  return new Server(endpoint.replace(/\/$/, ''), token);
}
