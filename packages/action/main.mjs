// The step: gets the server, starts it, and gives its address and token to the steps behind it.

import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const START_MILLISECONDS = 60_000;
const MAGIC_OF_GZIP = 0x1f8b;

class Problem extends Error {}

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

async function download(url) {
  let answer;
  try {
    answer = await fetch(url);
  } catch (error) {
    throw new Problem(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
  }
  if (!answer.ok) throw new Problem(`${url} answers with ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function checksumBeside(url) {
  const sums = new URL('SHA256SUMS', url).href;
  const name = basename(new URL(url).pathname);
  const line = (await download(sums)).toString().split('\n').find((each) => each.split(/\s+\*?/)[1] === name);
  if (!line) throw new Problem(`${sums} has no checksum of ${name}: give it as sha256`);
  return line.split(/\s/)[0];
}

function addressOfRelease() {
  const architecture = ARCHITECTURES[process.arch];
  if (process.platform !== 'linux' || !architecture) {
    throw new Problem(`there is no server for ${process.platform} on ${process.arch}: run the job on Linux, on x64 or arm64`);
  }
  const version = input('version');
  return `${input('releases')}/v${version}/magneto-${version}-linux-${architecture}.tar.gz`;
}

/** The bytes of a tarball or program, once they are those of the checksum. */
async function getFile() {
  const path = input('path');
  const url = input('url') || addressOfRelease();
  if (path && !existsSync(path)) throw new Problem(`there is no file ${path}`);
  const data = path ? readFileSync(path) : await download(url);
  const wanted = input('sha256').toLowerCase() || (path ? '' : await checksumBeside(url));
  if (wanted && sha256(data) !== wanted) {
    throw new Problem(`the SHA-256 of ${path || url} is ${sha256(data)}, not ${wanted}: the file is damaged, or another one`);
  }
  return data;
}

function unpack(data, folder) {
  if (data.readUInt16BE(0) === MAGIC_OF_GZIP) {
    execFileSync('tar', ['-xz', '-C', folder, '--strip-components=1', '--wildcards', '*/magneto'], { input: data });
  } else {
    writeFileSync(join(folder, 'magneto'), data);
  }
  chmodSync(join(folder, 'magneto'), 0o755);
  return join(folder, 'magneto');
}

function start(program, folder, token) {
  const log = join(folder, 'log');
  const output = openSync(log, 'a');
  const flags = input('flags').split(/\s+/).filter(Boolean);
  const command = ['--log-level', 'info', ...flags, '--port', input('port') || '8000', '--control-token', token,
    '--port-file', join(folder, 'port')];
  // The server outlives this step; post.mjs ends it.
  const child = spawn(program, command, { detached: true, stdio: ['ignore', output, output] });
  const server = { child, log, ended: '' };
  child.on('error', (error) => { server.ended = `${program} cannot be run: ${error.message}`; });
  child.on('exit', () => { server.ended = readFileSync(log, 'utf8').trim() || 'the server ended before it listened'; });
  return server;
}

async function waitUntilReady(server, folder) {
  const deadline = Date.now() + START_MILLISECONDS;
  while (Date.now() < deadline) {
    if (server.ended) throw new Problem(server.ended);
    if (existsSync(join(folder, 'port'))) {
      const endpoint = `http://localhost:${readFileSync(join(folder, 'port'), 'utf8').trim()}`;
      const answer = await fetch(`${endpoint}/_/ready`).catch(() => undefined);
      if (answer?.ok) return endpoint;
    }
    await pause(50);
  }
  throw new Problem(`the server is not ready after ${START_MILLISECONDS / 1000} s: ${readFileSync(server.log, 'utf8').trim()}`);
}

function write(file, values) {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync(process.env[file], lines.join(''));
}

async function run() {
  const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), 'magneto-'));
  const program = unpack(await getFile(), folder);
  const token = randomBytes(16).toString('hex');
  console.log(`::add-mask::${token}`);
  const server = start(program, folder, token);
  write('GITHUB_STATE', { pid: server.child.pid ?? '', log: server.log });
  const endpoint = await waitUntilReady(server, folder);
  write('GITHUB_ENV', { MAGNETO_ENDPOINT: endpoint, MAGNETO_CONTROL_TOKEN: token });
  write('GITHUB_OUTPUT', { endpoint });
  console.log(`Magneto listens on ${endpoint}`);
  server.child.unref();
}

try {
  await run();
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  const text = error.message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::error title=Magneto::${text}`);
  process.exitCode = 1;
}
