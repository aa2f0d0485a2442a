// The page lists the operations of the server, and no others.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { kOperations, kStreamOperations } from '../../../server/browser/page/operations.js';

const api = new URL('../../../api/', import.meta.url);
const read = (path) => readFileSync(new URL(path, api), 'utf8');

test("the list is the server's operation table", () => {
  const names = [...read('operation_table.h').matchAll(/^ +OPERATION\((\w+)\)/gm)].map(([, name]) => name);
  assert.ok(names.length > 0);
  assert.deepEqual(kOperations, names);
});

test('the operations of streams are those that the server has in that service', () => {
  const sources = readdirSync(new URL('operations/', api)).filter((name) => name.endsWith('.cc'));
  const names = sources.flatMap((source) => {
    const text = read(`operations/${source}`);
    return /\.service = WireService::kStreams\b/.test(text) ? /\.name = "(\w+)"/.exec(text).slice(1) : [];
  });
  assert.deepEqual([...kStreamOperations].sort(), names.sort());
});
