import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddress, writeAddress } from '../../../server/browser/page/query/address.js';
import { advice, buildRequest, countRequest, emptyChoice, isQuery, useSource } from '../../../server/browser/page/query/builder.js';
import { formatPath, parsePath } from '../../../server/browser/page/query/conditions.js';
import { Pager } from '../../../server/browser/page/query/pager.js';
import { Placeholders } from '../../../server/browser/page/query/placeholders.js';
import { bestSource, findSource, isWhole, tableModel } from '../../../server/browser/page/query/table_model.js';

const key = (AttributeName, KeyType) => ({ AttributeName, KeyType });
const kModel = tableModel({
  TableName: 'Orders',
  AttributeDefinitions: ['customer', 'order', 'status', 'day', 'city'].map((name) => ({ AttributeName: name, AttributeType: name === 'day' ? 'N' : 'S' })),
  KeySchema: [key('customer', 'HASH'), key('order', 'RANGE')],
  GlobalSecondaryIndexes: [
    { IndexName: 'byStatus', KeySchema: [key('status', 'HASH'), key('day', 'RANGE')], Projection: { ProjectionType: 'KEYS_ONLY' }, IndexStatus: 'ACTIVE' },
    { IndexName: 'byPlace', KeySchema: [key('city', 'HASH'), key('status', 'HASH'), key('day', 'RANGE'), key('order', 'RANGE')], Projection: { ProjectionType: 'ALL' }, IndexStatus: 'ACTIVE' },
  ],
  LocalSecondaryIndexes: [{ IndexName: 'byDay', KeySchema: [key('customer', 'HASH'), key('day', 'RANGE')], Projection: { ProjectionType: 'ALL' } }],
});
const choose = (choice) => ({ ...emptyChoice(), ...choice });
const filter = (path, operator, value, type = 'S', second = '') => ({ path, operator, value, type, second });

test('a table is known with its keys and indexes', () => {
  assert.deepEqual(kModel.keys.map(({ name }) => name), ['customer', 'order']);
  assert.deepEqual(kModel.sources.map(({ kind }) => kind), ['table', 'global', 'global', 'local']);
  assert.equal(findSource(kModel, 'byPlace').partition.length, 2);
  assert.ok(!isWhole(findSource(kModel, 'byStatus')));
  assert.equal(bestSource(kModel, ['status', 'city']).name, 'byPlace');
  assert.equal(bestSource(kModel, ['customer', 'day']).name, 'byDay');
  assert.equal(bestSource(kModel, ['order']), null);
});

test('without a partition key it is a Scan, with one a Query', () => {
  assert.deepEqual(buildRequest(kModel, choose({}), { limit: 50 }), { operation: 'Scan', input: { TableName: 'Orders', Limit: 50, ReturnConsumedCapacity: 'TOTAL' } });
  const { operation, input } = buildRequest(kModel, choose({ partition: ['c1'], sort: [{ operator: 'begins_with', value: '2026-' }], descending: true, consistent: true }));
  assert.equal(operation, 'Query');
  assert.equal(input.KeyConditionExpression, '#customer = :customer AND begins_with(#order, :order)');
  assert.deepEqual(input.ExpressionAttributeValues, { ':customer': { S: 'c1' }, ':order': { S: '2026-' } });
  assert.equal(input.ScanIndexForward, false);
  assert.equal(input.ConsistentRead, true);
  assert.ok(!isQuery(kModel, choose({ mode: 'scan', partition: ['c1'] })));
});

test('indexes with several key attributes want their conditions from the left', () => {
  const { input } = buildRequest(kModel, choose({ index: 'byPlace', partition: ['Bonn', 'open'], sort: [{ operator: '=', value: '1' }, { operator: 'between', value: 'a', second: 'b' }], consistent: true }));
  assert.equal(input.KeyConditionExpression, '#city = :city AND #status = :status AND #day = :day AND #order BETWEEN :order AND :order2');
  assert.equal(input.ConsistentRead, undefined);
  assert.throws(() => buildRequest(kModel, choose({ index: 'byPlace', partition: ['Bonn'] })), /value for status/);
  assert.throws(() => buildRequest(kModel, choose({ index: 'byPlace', partition: ['a', 'b'], sort: [undefined, { operator: '=', value: '1' }] })), /equality on all/);
  assert.throws(() => buildRequest(kModel, choose({ index: 'byPlace', partition: ['a', 'b'], sort: [{ operator: '<', value: '1' }, { operator: '=', value: '1' }] })), /equality on all/);
});

test('filters of each kind', () => {
  const filters = [
    filter('a.b[0]', '=', '1.0', 'N'), filter('a', 'between', '1', 'N', '2'), filter('t', 'begins_with', 'x'), filter('t', 'not_contains', 'y'),
    filter('t', 'in', 'a, "b, c"'), filter('u', 'exists'), filter('v', 'not_exists'), filter('w', 'type', 'SS'), filter('x', 'size>', '3'),
    filter('`odd.name`', '<>', 'true', 'BOOL'), filter('z', '=', '', 'NULL'), filter('e', '=', ''),
  ];
  const { input } = buildRequest(kModel, choose({ filters }));
  assert.equal(input.FilterExpression, [
    '#a.#b[0] = :b', '#a BETWEEN :b AND :a', 'begins_with(#t, :t)', 'NOT contains(#t, :t2)', '#t IN (:t3, :t4)', 'attribute_exists(#u)',
    'attribute_not_exists(#v)', 'attribute_type(#w, :type)', 'size(#x) > :size', '#oddname <> :oddname', '#z = :z', '#e = :e',
  ].join(' AND '));
  assert.equal(input.ExpressionAttributeNames['#oddname'], 'odd.name');
  assert.deepEqual(input.ExpressionAttributeValues[':t4'], { S: 'b, c' });
  assert.deepEqual(input.ExpressionAttributeValues[':e'], { S: '' });
  assert.match(buildRequest(kModel, choose({ filters: filters.slice(0, 2), any: true })).input.FilterExpression, / OR /);
  for (const [bad, field] of [[filter('', '=', '1'), 'filter0path'], [filter('a', '=', 'x', 'N'), 'filter0value'], [filter('a', 'between', '1', 'N', ''), 'filter0second'], [filter('a..b', '=', 'x'), 'filter0path']]) {
    assert.throws(() => buildRequest(kModel, choose({ filters: [bad] })), (error) => error.field === field);
  }
  assert.throws(() => buildRequest(kModel, choose({ partition: ['a'], filters: [filter('order', '=', 'x')] })), /in the key/);
});

test('chosen columns bring the key', () => {
  const request = buildRequest(kModel, choose({ columns: ['total', 'customer'], filters: [filter('x', '=', '1')] }), { limit: 5 });
  assert.equal(request.input.ProjectionExpression, '#order, #total, #customer');
  const count = countRequest(request).input;
  assert.deepEqual([count.Select, count.ProjectionExpression, count.Limit], ['COUNT', undefined, undefined]);
  assert.deepEqual(count.ExpressionAttributeNames, { '#x': 'x' });
  assert.equal(countRequest(buildRequest(kModel, choose({ columns: ['a'] }))).input.ExpressionAttributeNames, undefined);
});

test('filters that a key would answer are noticed', () => {
  const choice = choose({ filters: [filter('total', '>', '5', 'N'), filter('day', '=', '3', 'N'), filter('status', '=', 'open')] });
  const { source } = advice(kModel, choice);
  assert.equal(source.name, 'byStatus');
  const better = useSource(choice, source);
  assert.deepEqual([better.partition, better.sort, better.filters.length], [['open'], [{ operator: '=', value: '3' }], 1]);
  assert.equal(advice(kModel, { ...choice, any: true }), null);
  assert.equal(advice(kModel, better), null);
});

test('paths are read and written', () => {
  for (const text of ['a', 'a.b[0].c', 'a[1][2]', '`x.y`.z']) assert.equal(formatPath(parsePath(text)), text);
  assert.deepEqual(parsePath('a-b.c d'), ['a-b', 'c d']);
  for (const bad of ['', '.a', 'a.', 'a[x]', '[0]', 'a]', 'a[', 'a`b']) assert.throws(() => parsePath(bad), undefined, bad);
});

test('a view comes back from its address', () => {
  const choice = choose({
    index: 'byPlace', partition: ['a&b=c', '\u00e4'], sort: [{ operator: 'between', value: '1', second: '2' }], filters: [filter('a', '=', '"x"', 'S')],
    any: true, columns: ['a', 'b.c'], descending: true, consistent: true,
  });
  assert.deepEqual(readAddress(new URLSearchParams(writeAddress(choice).toString())), choice);
  assert.deepEqual(readAddress(new URLSearchParams('filter=x&sk=plain')).sort, [{ operator: '=', value: 'plain' }]);
});

test('placeholders never mean two things', () => {
  const words = new Placeholders();
  assert.deepEqual([words.name('a'), words.name('a!'), words.name('\u00e4'), words.name('a'), words.name('a2')], ['#a', '#a2', '#n', '#a', '#a22']);
  assert.deepEqual([words.value({ S: 'x' }, 'a'), words.value({ N: '1' }, 'a'), words.value({ S: 'x' }, 'b')], [':a', ':a2', ':a']);
  assert.deepEqual(words.members().ExpressionAttributeNames, { '#a': 'a', '#a2': 'a!', '#n': '\u00e4', '#a22': 'a2' });
});

// Answers of `size` items each, of which `keep` say which remain.
function source(total, perAnswer, keep = () => true) {
  let calls = 0;
  const read = async (start, limit) => {
    calls += 1;
    const from = start ? start.n : 0;
    const to = Math.min(total, from + (limit ?? perAnswer));
    const items = [];
    for (let n = from; n < to; n += 1) if (keep(n)) items.push(n);
    return { items, last: to < total ? { n: to } : null, units: 1, scanned: to - from, milliseconds: 1 };
  };
  return { read, calls: () => calls };
}

test('pages follow each other, forwards and back', async () => {
  const { read, calls } = source(250, 100);
  const pager = new Pager(read, { size: 100, filtered: false });
  assert.deepEqual([(await pager.page(0)).items.length, (await pager.page(1)).items[0]], [100, 100]);
  const last = await pager.page(2);
  assert.deepEqual([last.items.length, last.more], [50, false]);
  assert.equal((await pager.page(0)).items[0], 0);
  assert.equal(calls(), 3);
});

test('a filtered page is filled from several answers, and loses none', async () => {
  const { read } = source(1000, 100, (n) => n % 7 === 0);
  const pager = new Pager(read, { size: 20, filtered: true });
  const all = [];
  for (let number = 0; ; number += 1) {
    const page = await pager.page(number);
    all.push(...page.items);
    if (!page.more) break;
    assert.equal(page.items.length, 20);
  }
  assert.deepEqual(all, Array.from({ length: 143 }, (_, index) => index * 7));
  assert.deepEqual((await pager.page(1)).items, all.slice(20, 40));
});

test('a page that finds little stops and reads on', async () => {
  const { read } = source(10000, 100, (n) => n === 9000 || n === 1);
  const pager = new Pager(read, { size: 20, filtered: true });
  let page = await pager.page(0);
  let rounds = 1;
  for (; page.paused; rounds += 1) page = await pager.page(0);
  assert.deepEqual([page.items, page.more, rounds], [[1, 9000], false, 4]);
  assert.deepEqual((await pager.page(0)).items, [1, 9000]);
});
