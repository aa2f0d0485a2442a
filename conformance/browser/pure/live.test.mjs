// What the live rooms know without a page: differences, bounded lists, rates, ticks, the journal.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { duration } from '../../../server/browser/page/format.js';
import { areaOf, highestOf, pathOf, ticks } from '../../../server/browser/page/live/scale.js';
import { changedNames, changeMatches, changeOf, inOrder, keyText, summary } from '../../../server/browser/page/live/changes.js';
import { differences, kMaxRows, middle, pathText, setDifference } from '../../../server/browser/page/live/image_difference.js';
import { JournalReader, journalAddress, recordMatches, unitsOf } from '../../../server/browser/page/live/journal_reader.js';
import { addBuckets, between, bucketGrowth, quantile, sinceStart } from '../../../server/browser/page/live/rates.js';
import { Ring } from '../../../server/browser/page/live/ring.js';

test('durations that are short are not nothing', () => {
  const texts = [0, 0.0214, 0.25, 2.44, 12.3, 1240].map((milliseconds) => duration(milliseconds).replaceAll('\u00a0', ' '));
  assert.deepEqual(texts, ['0 ms', '0.02 ms', '0.25 ms', '2.4 ms', '12 ms', '1.2 sec']);
});

const kinds = (before, after) => differences(before, after).rows.map(({ path, kind }) => `${pathText(path)} ${kind}`);

test('what differs between two images is found inside maps and lists', () => {
  const before = {
    same: { S: 'x' }, gone: { N: '1' }, changed: { N: '1' }, type: { S: '1' }, set: { SS: ['a', 'b'] },
    map: { M: { a: { L: [{ S: '1' }, { S: '2' }, { S: '3' }] }, 'b c': { BOOL: true } } },
  };
  const after = {
    same: { S: 'x' }, new: { NULL: true }, changed: { N: '2' }, type: { N: '1' }, set: { SS: ['b', 'a'] },
    map: { M: { a: { L: [{ S: '1' }, { S: 'two' }] }, 'b c': { BOOL: false } } },
  };
  assert.deepEqual(kinds(before, after), [
    'changed changed', 'gone removed', 'map.a[0] same', 'map.a[1] changed', 'map.a[2] removed', 'map."b c" changed',
    'new added', 'same same', 'set same', 'type changed',
  ]);
});

test('numbers of 38 digits that differ in the last are different, and names of JavaScript are names', () => {
  const digits = '12345678901234567890123456789012345678';
  assert.deepEqual(kinds({ n: { N: digits } }, { n: { N: `${digits.slice(0, -1)}9` } }), ['n changed']);
  const odd = JSON.parse('{"__proto__":{"S":"a"},"constructor":{"S":"b"},"toString":{"S":"c"}}');
  assert.deepEqual(kinds({}, odd), ['__proto__ added', 'constructor added', 'toString added']);
  assert.deepEqual(kinds({ a: { M: {} } }, { a: { M: odd } }), ['a.__proto__ added', 'a.constructor added', 'a.toString added']);
});

test('no image and a huge one are borne', () => {
  assert.deepEqual(differences(undefined, undefined), { rows: [], cut: false });
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`a${at}`, { N: '1' }]));
  const found = differences({}, wide);
  assert.equal(found.rows.length, kMaxRows);
  assert.equal(found.cut, true);
  let deep = { S: 'x' };
  for (let level = 0; level < 32; ++level) deep = { M: { a: deep } };
  assert.equal(differences({ a: deep }, { a: { M: {} } }).rows.length, 1);
});

test('texts are cut into what they share and what they do not', () => {
  assert.deepEqual(middle('status NEW!', 'status NEWER!'), { start: 'status NEW', before: '', after: 'ER', end: '!' });
  assert.deepEqual(middle('', 'a'), { start: '', before: '', after: 'a', end: '' });
  assert.deepEqual(middle('aa', 'aaa'), { start: 'aa', before: '', after: 'a', end: '' });
  const { start, before, after, end } = middle('x😀y', 'x😁y');
  assert.deepEqual([start, before, after, end], ['x', '😀', '😁', 'y']);
  const same = middle('\u{1f600}', '\u{1f200}'); // the same second half of a pair
  assert.equal(same.before + same.end, '\u{1f600}');
  assert.deepEqual(setDifference({ NS: ['1', '2'] }, { NS: ['2', '3'] }), { added: ['3'], removed: ['1'] });
});

test('records become changes', () => {
  const record = {
    eventID: 'e', eventName: 'MODIFY', userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
    dynamodb: {
      Keys: { pk: { S: 'a' }, sk: { N: '7' } }, OldImage: { pk: { S: 'a' }, n: { N: '1' } }, NewImage: { pk: { S: 'a' }, m: { N: '1' } },
      SequenceNumber: '100', ApproximateCreationDateTime: 1700000000, SizeBytes: 10, StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
  const change = changeOf(record, 'shard');
  assert.equal(change.byTimeToLive, true);
  assert.equal(keyText(change.keys), 'pk = a, sk = 7');
  assert.deepEqual(changedNames(change), ['n', 'm']);
  assert.equal(summary(change), 'n, m');
  const all = new Set(['INSERT', 'MODIFY', 'REMOVE']);
  assert.equal(changeMatches(change, { text: 'SK m', kinds: all }), true);
  assert.equal(changeMatches(change, { text: 'other', kinds: all }), false);
  assert.equal(changeMatches(change, { text: '', kinds: new Set(['INSERT']) }), false);
  const numbers = ['99', '100', '9'].map((sequence) => ({ sequence }));
  assert.deepEqual(numbers.sort(inOrder).map(({ sequence }) => sequence), ['9', '99', '100']);
});

test('a ring keeps the newest, bounded in number and in bytes', () => {
  const ring = new Ring({ count: 3, bytes: 100 });
  for (let at = 0; at < 10; ++at) ring.push(at, 1);
  assert.deepEqual([...ring], [7, 8, 9]);
  assert.deepEqual([...ring.newest()], [9, 8, 7]);
  assert.equal(ring.dropped, 7);
  ring.push('large', 99);
  assert.deepEqual([...ring], [9, 'large']);
  ring.push('too large', 1000);
  assert.deepEqual([...ring], ['too large']);
  assert.equal(ring.bytes, 1000);
  ring.push('small', 1);
  assert.deepEqual([...ring], ['small']);
  for (let at = 0; at < 100_000; ++at) ring.push(at, 1);
  assert.equal(ring.length, 3);
});

test('counters become rates, whether their buckets are sums or not', () => {
  const reading = (seconds, calls, buckets, more = {}) => ({
    at: new Date(seconds * 1000).toISOString(), throttled: { reads: 0, writes: 0 }, transaction_conflicts: 0,
    memory: { resident_bytes: 5, limit_bytes: null }, ...more,
    operations: { GetItem: { calls, errors: { ThrottlingException: calls / 10 }, seconds_sum: calls / 100, buckets } },
  });
  const alone = [reading(0, 10, [[0.01, 5], [0.1, 5], ['+Inf', 0]]), reading(2, 30, [[0.01, 15], [0.1, 15], ['+Inf', 0]])];
  const sums = [reading(0, 10, [[0.01, 5], [0.1, 10], ['+Inf', 10]]), reading(2, 30, [[0.01, 15], [0.1, 30], ['+Inf', 30]])];
  for (const [before, now] of [alone, sums]) {
    const rates = between(before, now);
    assert.equal(rates.callsPerSecond, 10);
    assert.equal(rates.errorsPerSecond, 1);
    assert.ok(Math.abs(rates.operations[0].mean - 0.01) < 1e-9);
    assert.equal(rates.p50, 0.01);
    assert.ok(rates.p99 > 0.09 && rates.p99 <= 0.1);
  }
  assert.equal(between(alone[0], alone[0]), null);
  // A server that was started anew counts from nothing.
  assert.equal(between(alone[1], reading(4, 8, [[0.01, 8]])).callsPerSecond, 4);
  assert.deepEqual(bucketGrowth({ calls: 1, buckets: [[1, 1]] }, undefined), [[1, 1]]);
  assert.deepEqual(addBuckets([[[1, 2], ['+Inf', 1]], [[0.5, 1], [1, 1]]]), [[0.5, 1], [1, 3], ['+Inf', 1]]);
  assert.equal(quantile([], 0.5), null);
  assert.equal(between({ at: '2020-01-01T00:00:00Z' }, { at: '2020-01-01T00:00:01Z' }).p50, null);
});

test('charts have round ticks, and lines that break where nothing was read', () => {
  assert.deepEqual(ticks(0), [0, 1]);
  assert.deepEqual(ticks(97), [0, 25, 50, 75, 100]);
  assert.deepEqual(ticks(0.3), [0, 0.1, 0.2, 0.3]);
  assert.deepEqual(ticks(4), [0, 1, 2, 3, 4]);
  assert.deepEqual(ticks(2, 10, 1), [0, 1, 2]);
  assert.deepEqual(ticks(9, 10, 1), [0, 5, 10]);
  for (const highest of [1e-9, 0.7, 1, 12345, 9.9e12]) {
    for (const base of [10, 2]) {
      const marks = ticks(highest, base);
      assert.ok(marks.at(-1) >= highest * (1 - 1e-9) && marks.length <= 6, `${highest} ${base}: ${marks}`);
    }
  }
  assert.deepEqual(ticks(60 << 20, 2), [0, 16, 32, 48, 64].map((count) => count * 2 ** 20));
  assert.equal(pathOf([[0, 1], [2, 3], [4, null], [5, 6]]), 'M0,1L2,3M5,6');
});

test('the journal is read on from where it was left, and tells what was missed', async () => {
  const asked = [];
  const answers = [
    { records: [{ number: 5 }, { number: 6 }], next: 6, dropped: 4 }, { records: [], next: 6, dropped: 4 },
    { records: [{ number: 10 }], next: 10, dropped: 9 },
  ];
  const control = async (method, address) => {
    asked.push(address);
    return { status: 200, body: answers.shift() };
  };
  const reader = new JournalReader({ namespace: 'a/b', control });
  assert.equal((await reader.next()).missed, 0);
  assert.equal((await reader.next()).records.length, 0);
  assert.equal((await reader.next()).missed, 3);
  assert.equal(asked[0], '/_/namespaces/a%2Fb/journal?after=0&limit=500');
  assert.equal(asked[2], '/_/namespaces/a%2Fb/journal?after=6&limit=500&wait=20s');
  assert.equal(journalAddress('main', { format: 'jsonl', limit: 9, filters: { table: 'T&x', status: '' } }),
    '/_/namespaces/main/journal?limit=9&table=T%26x&format=jsonl');
  assert.equal(unitsOf({ consumed: { read_units: 0.5, write_units: 2 } }), 2.5);
  assert.equal(unitsOf({}), 0);
  assert.equal(recordMatches({ operation: 'GetItem', table: 'Orders', status: 400, error: 'X' }, 'orders 400'), true);
  assert.equal(recordMatches({ operation: 'GetItem', table: null }, 'orders'), false);
});

test('a first spike does not press the rest flat, but what is high for long counts', () => {
  assert.equal(highestOf([48, 0.1, 0.2, 0.1, 0.2, 0.1], true), 0.25);
  assert.equal(highestOf([48, 0.1, 0.2, 0.1, 0.2, 0.1], false), 48);
  assert.equal(highestOf([null, 0.2, 0.5, 0.4, 0.3, 0.2], true), 0.5);
  assert.equal(highestOf([48, 0.1], true), 48);
  assert.equal(highestOf([], true), 0);
  assert.equal(highestOf([null, null]), 0);
  assert.equal(highestOf([5, 0, 0, 0, 0, 0], true), 5);
  const half = Array.from({ length: 100 }, (_, at) => (at < 50 ? 40 : 1));
  assert.equal(highestOf(half, true), 40);
});

test('an area is closed beneath each piece of its line', () => {
  assert.equal(areaOf([[0, 1], [1, 2], [2, null], [3, 1], [4, 1]], 9), 'M0,9L0,1L1,2L1,9ZM3,9L3,1L4,1L4,9Z');
  assert.equal(areaOf([[0, null], [1, 2]], 9), '');
});

test('one reading says what was counted since the start', () => {
  const operations = {
    GetItem: { calls: 30, errors: { ThrottlingException: 3 }, seconds_sum: 0.3, buckets: [[0.01, 15], [0.1, 15], [null, 0]] },
    PutItem: { calls: 10, errors: {}, seconds_sum: 0.1, buckets: [[0.01, 10], [0.1, 0], [null, 0]] },
  };
  const totals = sinceStart({ operations, throttled: { reads: 2, writes: 1 }, transaction_conflicts: 4 }, 20);
  assert.equal(totals.calls, 40);
  assert.equal(totals.errors, 3);
  assert.equal(totals.callsPerSecond, 2);
  assert.ok(Math.abs(totals.mean - 0.01) < 1e-9);
  assert.ok(totals.p50 < 0.01 && totals.p99 > 0.09);
  assert.deepEqual([totals.readThrottles, totals.writeThrottles, totals.conflicts], [2, 1, 4]);
  assert.deepEqual(totals.operations.map(({ name, calls, errors }) => [name, calls, errors]), [['GetItem', 30, 3], ['PutItem', 10, 0]]);
  const nothing = sinceStart({}, 0);
  assert.deepEqual([nothing.calls, nothing.callsPerSecond, nothing.mean, nothing.p99], [0, null, null, null]);
});
