// Where Chromium is: MAGNETO_CHROMIUM, else Debian's; null where there is none.

import { existsSync } from 'node:fs';

export const chromiumPath = [process.env.MAGNETO_CHROMIUM ?? '/usr/bin/chromium']
  .find((path) => existsSync(path)) ?? null;

/** Of Playwright's launch() and launchServer(). */
export const chromiumOptions = {
  executablePath: chromiumPath,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
};
