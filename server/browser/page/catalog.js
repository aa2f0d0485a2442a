// What is known of the tables of the current namespace: their names, and their
// descriptions, which are kept for some seconds.

import { call, session } from './client.js';

const kFresh = 5000; // milliseconds
const kListPage = 100;
let names = [];
let loading = null;
let descriptions = new Map();
const listeners = new Set();

function changed() {
  for (const listener of listeners) listener(names);
}

async function loadAll() {
  const found = [];
  let start;
  do {
    const input = { Limit: kListPage, ...(start ? { ExclusiveStartTableName: start } : {}) };
    const { output, error } = await call('ListTables', input);
    if (error) return { names, error };
    found.push(...output.TableNames);
    start = output.LastEvaluatedTableName;
  } while (start);
  names = found;
  changed();
  return { names, error: null };
}

export const catalog = {
  get names() { return names; },

  // -> {names, error}. Calls at the same time are one.
  load() {
    loading ??= loadAll().finally(() => { loading = null; });
    return loading;
  },

  // DescribeTable -> {table, error}
  async describe(name, { fresh = false, signal } = {}) {
    const kept = descriptions.get(name);
    if (!fresh && kept && Date.now() - kept.at < kFresh) return { table: kept.table, error: null };
    const { output, error } = await call('DescribeTable', { TableName: name }, { signal });
    if (error) {
      descriptions.delete(name);
      return { table: null, error };
    }
    descriptions.set(name, { table: output.Table, at: Date.now() });
    return { table: output.Table, error: null };
  },

  forget(name) { descriptions.delete(name); },

  // `listener(names)` after each load.
  onChange(listener, { signal } = {}) {
    listeners.add(listener);
    signal?.addEventListener('abort', () => listeners.delete(listener));
  },
};

session.on('namespace', () => {
  names = [];
  descriptions = new Map();
});
session.on('credentials', () => {
  names = [];
  descriptions = new Map();
});
