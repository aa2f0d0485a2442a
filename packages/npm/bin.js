#!/usr/bin/env node
// npx magneto [flags]: the server itself. Signals go to it, and its status comes back.

import { spawn } from 'node:child_process';
import { checkMachine, findProgram, StartError, whyItCannotRun } from './program.js';

const flags = process.argv.slice(2);
// A command such as import may read its standard input; a server ends with ours, even when we are killed.
const isServer = !flags.length || flags[0].startsWith('-');

function fail(sentence) {
  process.stderr.write(`magneto: ${sentence}\n`);
  process.exit(1);
}

function run() {
  const program = findProgram();
  checkMachine(program);
  const running = {}; // its child; a signal may come before it
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) {
    process.on(signal, () => {
      // The terminal sends SIGINT to a command, which is in our group, itself.
      if (isServer || signal !== 'SIGINT') running.child.kill(signal);
    });
  }
  const child = isServer
    ? spawn(program, flags, { detached: true, stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...process.env, MAGNETO_END_WITH_STDIN: 'true' } })
    : spawn(program, flags, { stdio: 'inherit' });
  running.child = child;
  child.on('error', (error) => fail(whyItCannotRun(program, error)));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

try {
  run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  fail(error.message);
}
