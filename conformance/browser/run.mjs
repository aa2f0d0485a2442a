// run.mjs [test file ...]: runs those files, else all of this folder and of pure/, one after the other,
// because they share a server and a Chromium. Prints what a file said only where it failed, so that the fault is not lost
// among what passed. Ends with 77, and says why, where there is no Chromium or no playwright-core.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromiumOptions, chromiumPath } from './chromium.mjs';

const here = dirname(fileURLToPath(import.meta.url));

function testsIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith('.test.mjs')).sort()
    .map((name) => join(folder, name));
}

function skip(reason) {
  process.stdout.write(`not run: ${reason}\n`);
  process.exit(77);
}

if (!chromiumPath) skip('there is no chromium (apt-get install chromium)');
if (!existsSync(join(here, 'node_modules/playwright-core'))) {
  skip('there is no playwright-core (npm ci in conformance/browser)');
}
const given = process.argv.slice(2);
const files = given.length > 0 ? given : [...testsIn(join(here, 'pure')), ...testsIn(here)];
const { chromium } = await import('playwright-core');
const shared = await chromium.launchServer(chromiumOptions);
const env = { ...process.env, MAGNETO_CHROMIUM_SERVER: shared.wsEndpoint() };
const failed = [];
for (const file of files) {
  const start = Date.now();
  const test = spawn(process.execPath, ['--test', file], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const said = [];
  test.stdout.on('data', (part) => said.push(part));
  const [status] = await once(test, 'close');
  const took = `${((Date.now() - start) / 1000).toFixed(1)} s`;
  process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'} ${relative(here, file)} (${took})\n`);
  if (status === 0) continue;
  failed.push(file);
  process.stdout.write(Buffer.concat(said));
}
await shared.close();
for (const file of failed) process.stderr.write(`failed: ${file}\n`);
process.exit(failed.length > 0 ? 1 : 0);
