// run.mjs [test file ...]: runs those files, else all of this folder and of pure/, one after the other,
// because they share a server and a Chromium. Ends with 77, and says why, where there is no Chromium or no playwright-core.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  const [status] = await once(spawn(process.execPath, ['--test', file], { stdio: 'inherit', env }), 'exit');
  if (status !== 0) failed.push(file);
}
await shared.close();
for (const file of failed) process.stderr.write(`failed: ${file}\n`);
process.exit(failed.length > 0 ? 1 : 0);
