// Plays ../scenarios/*.json with the SDK: each file becomes one test. Their form: ../scenarios/README.md.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  fromValue, reads, shortErrors, shortReasons, stepCommand, stepVerb, toValue,
} from './steps.mjs';
import { streams } from './streams.mjs';
import {
  checkTable, errorOf, plainClient, readPages, send, snapshot, streamOf, withTables,
} from './tables.mjs';

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
  let unproved = true;
  for (const step of steps) {
    await restartServer(unproved || step.continue);
    unproved = !reads.includes(stepVerb(step));
    await t.test(step.check, async () => { lastKey = await playStep(step, tables, lastKey); });
  }
  await checkTables('in the end');
}

/** Between a write or a page and the next step, with a server that can: ../with_server.py. */
async function restartServer(unproved) {
  if (!unproved || !process.env.MAGNETO_RESTART) return;
  const answer = await fetch(process.env.MAGNETO_RESTART, { method: 'POST' });
  assert.equal(answer.status, 200);
  // Connections of before are closed, which a busy process may not have noticed yet. It makes new ones.
  for (const { config } of [plainClient, streams]) config.requestHandler.destroy();
}

const patienceSeconds = 120; // with a step that holds eventually

async function playStep(step, tables, lastKey) {
  const deadline = Date.now() + (step.eventually ? patienceSeconds * 1000 : 0);
  for (;;) {
    try {
      return await playStepOnce(step, tables, lastKey);
    } catch (error) {
      if (!(error instanceof assert.AssertionError) || Date.now() > deadline) throw error;
    }
    await setTimeout(100);
  }
}

/** Plays one step; the key its answer ends with, where it has one. */
async function playStepOnce(step, tables, lastKey) {
  if ('records' in step) {
    assert.deepEqual(await recordsOf(step, tables), fromValue(toValue(step.expect.records)));
    return undefined;
  }
  const { verb, Command, request } = stepCommand(step, tables);
  let expected = step.expect ?? {};
  if (typeof expected === 'string') expected = { error: shortErrors[expected] };
  if ('cancel' in expected) expected = { error: 'TransactionCanceledException', ...expected };
  if ('error' in expected) {
    const before = await snapshot(tables);
    const error = await errorOf(Command, request);
    assert.equal(error.name, expected.error);
    assert.ok(error.message.includes(expected.says ?? ''), error.message);
    if ('cancel' in expected) {
      const reasons = error.CancellationReasons.map(({ Code }) => Code);
      assert.deepEqual(reasons, expected.cancel.map((reason) => shortReasons[reason]));
    }
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

/** The records of one item, in order, as a scenario writes them. */
async function recordsOf(step, tables) {
  const changes = await (await streamOf(step.table ?? Object.keys(tables)[0])).poll();
  return changes.filter(({ key }) => canonicalText(key) === canonicalText(step.records)).map((change) => fromValue({
    event: change.event,
    ...(change.old && { old: change.old }),
    ...(change.new && { new: change.new }),
    ...(change.byService && { by: 'service' }),
  }));
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
    anyOrder: () => inOrder({ items }),
    item: () => answer.Item,
    attributes: () => answer.Attributes,
    lastKey: () => answer.LastEvaluatedKey,
    lastKeyMembers: () => Object.keys(answer.LastEvaluatedKey).sort(),
    responses: () => inOrder(answer.Responses),
    transacted: () => answer.Responses.map(({ Item }) => Item ?? null),
    answer: (want) => Object.fromEntries(Object.keys(want).map((path) => [path, memberAt(answer, path)])),
  };
  for (const [member, want] of Object.entries(expected)) {
    let sorted = want;
    if (member === 'set' || member === 'responses') sorted = inOrder(want);
    if (member === 'anyOrder') sorted = inOrder({ items: want });
    assert.deepEqual(found[member](want) ?? null, sorted, member);
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
