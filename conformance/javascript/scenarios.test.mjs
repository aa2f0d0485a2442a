// Plays ../scenarios/*.json with the SDK: each file becomes one test. Their form: ../scenarios/README.md.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fromValue, shortErrors, stepCommand } from './steps.mjs';
import { checkTable, errorOf, readPages, send, snapshot, withTables } from './tables.mjs';

const folder = new URL('../scenarios/', import.meta.url);

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json')).sort()) {
  const scenario = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  test(scenario.title, (t) => withTables(scenario.tables, scenario.items ?? {}, () => play(t, scenario)));
}

async function play(t, { tables, steps }) {
  const checkTables = (when) => t.test(`the checks of every table, ${when}`, async () => {
    for (const [name, table] of Object.entries(tables)) await checkTable(name, table, tables);
  });
  await checkTables('at first');
  let lastKey;
  for (const step of steps) {
    await t.test(step.check, async () => { lastKey = await playStep(step, tables, lastKey); });
  }
  await checkTables('in the end');
}

/** Plays one step; the key its answer ends with, where it has one. */
async function playStep(step, tables, lastKey) {
  const { verb, Command, request } = stepCommand(step, tables);
  let expected = step.expect ?? {};
  if (typeof expected === 'string') expected = { error: shortErrors[expected] };
  if ('error' in expected) {
    const before = await snapshot(tables);
    const error = await errorOf(Command, request);
    assert.equal(error.name, expected.error);
    assert.ok(error.message.includes(expected.says ?? ''), error.message);
    assert.deepEqual(await snapshot(tables), before); // check (f)
    return undefined;
  }
  if (step.continue) {
    assert.ok(lastKey, 'there is no page to continue from');
    request.ExclusiveStartKey = lastKey;
  }
  const answers = step.allPages ? await readPages(Command, request) : [await send(Command, request)];
  const isPage = verb === 'query' || verb === 'scan';
  if (isPage) checkCounts(step, answers);
  checkAnswer(isPage, answers, expected);
  return answers.at(-1).LastEvaluatedKey;
}

function checkCounts(step, answers) { // check (e)
  for (const { Count, ScannedCount, Items } of answers) {
    if ('filter' in step) assert.ok(ScannedCount >= Count);
    else assert.equal(ScannedCount, Count);
    if (Items !== undefined) assert.equal(Items.length, Count);
  }
}

function checkAnswer(isPage, answers, expected) {
  const answer = fromValue(answers.at(-1));
  const items = fromValue(answers.flatMap((page) => page.Items ?? []));
  const sum = (member) => answers.reduce((total, page) => total + page[member], 0);
  if (isPage) assert.equal(answer.LastEvaluatedKey !== undefined, expected.more ?? false, 'LastEvaluatedKey');
  const found = {
    more: (want) => want, // just checked
    list: (want) => columns(items, want),
    set: (want) => inOrder(columns(items, want)),
    count: () => sum('Count'),
    scanned: () => sum('ScannedCount'),
    pages: () => answers.length,
    items: () => items,
    item: () => answer.Item,
    attributes: () => answer.Attributes,
    lastKey: () => answer.LastEvaluatedKey,
    lastKeyMembers: () => Object.keys(answer.LastEvaluatedKey).sort(),
    responses: () => inOrder(answer.Responses),
    answer: (want) => Object.fromEntries(Object.keys(want).map((path) => [path, memberAt(answer, path)])),
  };
  for (const [member, want] of Object.entries(expected)) {
    const inAnyOrder = member === 'set' || member === 'responses';
    assert.deepEqual(found[member](want) ?? null, inAnyOrder ? inOrder(want) : want, member);
  }
}

/** Of each wanted attribute (or several, 'a/b') its values over the items that have it. */
function columns(items, wanted) {
  return Object.fromEntries(Object.keys(wanted).map((column) => {
    const names = column.split('/');
    const rows = items.filter((item) => names.every((name) => name in item))
      .map((item) => (names.length === 1 ? item[column] : names.map((name) => item[name]).join('/')));
    return [column, rows];
  }));
}

/** Text that is equal for equal values, whatever the order of their members. */
function canonicalText(value) {
  return JSON.stringify(value, (_, member) => (
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member));
}

function inOrder(lists) {
  return Object.fromEntries(Object.entries(lists).map(([name, values]) => (
    [name, values.map(canonicalText).sort()])));
}

function memberAt(answer, path) {
  return path.split('.').reduce((value, name) => value?.[name], answer) ?? null;
}
