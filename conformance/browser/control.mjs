// The control interface, beside the page.

import { endpoint } from './page.mjs';

let token = null;

async function findToken() {
  const page = await (await fetch(`${endpoint}/_/`)).text();
  return /<meta name="magneto-token" content="([^"]*)"/.exec(page)?.[1] ?? '';
}

/** {status, body} of the control interface. */
export async function control(method, path, body) {
  token ??= await findToken();
  const response = await fetch(endpoint + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '');
  return { status: response.status, body: isJson ? await response.json() : null };
}

/** For test(): why a test of the control at `path` is not run, or false. */
export async function skipWithout(path) {
  return (await control('GET', path)).status === 200 ? false : `the server has no ${path}`;
}
