// The end of the job: ends the server, and prints its log if a step has failed.

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const STOP_MILLISECONDS = 30_000;
const pid = Number(process.env.STATE_pid);
const log = process.env.STATE_log;

function signal(kind) {
  try {
    process.kill(pid, kind);
    return true;
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

async function end() {
  const deadline = Date.now() + STOP_MILLISECONDS;
  for (let runs = signal('SIGTERM'); runs; runs = signal(0)) {
    if (Date.now() > deadline) {
      signal('SIGKILL');
      return;
    }
    await pause(20);
  }
}

if (pid) await end();
if (log && existsSync(log) && process.env['INPUT_JOB-STATUS'] !== 'success') {
  console.log(`::group::The log of Magneto\n${readFileSync(log, 'utf8')}\n::endgroup::`);
}
