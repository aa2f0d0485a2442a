// One server for a run of tests. Their processes find it in the environment, by connect().

import { readFileSync } from 'node:fs';
import { connect, start } from './index.js';

function flagsOfProject() {
  const { magneto } = JSON.parse(readFileSync('package.json', 'utf8'));
  return magneto?.flags ?? [];
}

/** The server of the run, or undefined where MAGNETO_ENDPOINT names one that runs already. */
export async function startForTests() {
  if (process.env.MAGNETO_ENDPOINT) {
    connect(); // says if the token is missing
    return undefined;
  }
  const server = await start({ flags: flagsOfProject() });
  process.env.MAGNETO_ENDPOINT = server.endpoint;
  process.env.MAGNETO_CONTROL_TOKEN = server.token;
  return server;
}
