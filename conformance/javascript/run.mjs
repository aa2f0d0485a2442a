// run.mjs <test file ...>: runs the files one after the other, because they share a server and its tables.

import { spawnSync } from 'node:child_process';

const failed = process.argv.slice(2).filter((file) => (
  spawnSync(process.execPath, ['--test', file], { stdio: 'inherit' }).status !== 0));
for (const file of failed) process.stderr.write(`failed: ${file}\n`);
process.exit(failed.length > 0 ? 1 : 0);
