// globalSetup of Jest: { "jest": { "globalSetup": "magneto/jest" } }. The server ends with Jest's process.

import { startForTests } from './setup.js';

export default async function setup() {
  await startForTests();
}
