// globalSetup of Vitest: export default { test: { globalSetup: 'magneto/vitest' } }

import { startForTests } from './setup.js';

export default async function setup() {
  const server = await startForTests();
  return () => server?.stop();
}
