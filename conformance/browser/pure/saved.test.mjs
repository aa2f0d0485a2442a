import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyChoice } from '../../../server/browser/page/query/builder.js';
import { summaryOf } from '../../../server/browser/page/query/summary.js';
import { tableModel } from '../../../server/browser/page/query/table_model.js';
import { kMaxQueries, SavedQueries, SavedQueryError } from '../../../server/browser/page/saved/store.js';

class Storage {
  text = null;
  getItem() { return this.text; }
  setItem(key, text) {
    if (this.isFull) throw new Error('QuotaExceededError');
    this.text = text;
  }
}

const kQuery = { kind: 'items', table: 'Orders', text: 'pk=a', summary: 'Query: id = a', parameters: [] };

function makeStore(storage = new Storage()) {
  let last = 0;
  return { storage, store: new SavedQueries(storage, () => String(last += 1)) };
}

test('queries are kept by name, renamed, deleted and put back', () => {
  const { store, storage } = makeStore();
  store.save(' Second ', kQuery);
  const first = store.save('first', { ...kQuery, kind: 'partiql', text: 'SELECT 1', parameters: [{ kind: 'S', text: 'x' }] });
  assert.deepEqual(store.list().map(({ name }) => name), ['first', 'Second']);
  // One of the same name is replaced.
  store.save('FIRST', { ...kQuery, text: 'pk=b' });
  assert.deepEqual([store.list().length, store.find(first.id).text, store.find(first.id).name], [2, 'pk=b', 'FIRST']);
  store.rename(first.id, 'third');
  assert.throws(() => store.rename(first.id, 'second'), /A query with this name exists/);
  store.rename(first.id, 'Third');
  assert.deepEqual(new SavedQueries(storage).list().map(({ name }) => name), ['Second', 'Third']);
  const removed = store.remove(first.id);
  assert.deepEqual(store.list().map(({ name }) => name), ['Second']);
  store.restore(removed);
  assert.deepEqual(store.find(first.id), removed);
  assert.equal(store.remove('none'), null);
});

test('there are limits, and what the browser does not keep is told', () => {
  const { store, storage } = makeStore();
  for (let n = 0; n < kMaxQueries; n += 1) store.save(`q${n}`, kQuery);
  assert.throws(() => store.save('one more', kQuery), (error) => error instanceof SavedQueryError && /100 saved queries, which is the limit/.test(error.message));
  store.save('q7', { ...kQuery, text: 'pk=c' });
  const removed = store.remove(store.named('q7').id);
  store.save('other', kQuery);
  assert.throws(() => store.restore(removed), /limit/);
  assert.throws(() => store.save('q1', { ...kQuery, text: 'x'.repeat(10_000) }), /too long/);
  assert.throws(() => store.save('  ', kQuery), /Type a name/);
  assert.throws(() => store.save('x'.repeat(101), kQuery), /at most 100 characters/);
  storage.isFull = true;
  assert.throws(() => store.save('q1', kQuery), /cannot save the query/);
  assert.equal(store.list().length, kMaxQueries);
});

test('what is kept may be anything', () => {
  const { store, storage } = makeStore();
  const good = { id: '1', name: 'a', ...kQuery };
  for (const text of ['', '{', 'null', '5', '"x"', '{"a":1}', '[]']) {
    storage.text = text;
    assert.deepEqual(store.list(), []);
  }
  storage.text = JSON.stringify([null, 5, 'x', [], {}, { ...good, name: 5 }, { ...good, kind: 'other' }, { ...good, parameters: [null] }, { ...good, parameters: {} }, good]);
  assert.deepEqual(store.list(), [good]);
  storage.text = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ ...good, id: String(n), name: String(n) })));
  assert.equal(store.list().length, kMaxQueries);
  storage.getItem = () => { throw new Error('denied'); };
  assert.deepEqual(store.list(), []);
});

test('a choice is told in a few words', () => {
  const model = tableModel({
    TableName: 'Orders', KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'order', KeyType: 'RANGE' }],
    AttributeDefinitions: ['customer', 'order', 'status'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [{ IndexName: 'byStatus', KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' } }],
  });
  const told = (parts) => summaryOf(model, { ...emptyChoice(), ...parts });
  assert.equal(told({}), 'Scan');
  assert.equal(told({ partition: ['c1'], sort: [{ operator: 'between', value: 'a', second: 'b' }], descending: true }), 'Query: customer = c1 and order between a and b, descending');
  assert.equal(told({ index: 'byStatus', partition: ['open'], filters: [{ path: 'total', operator: '>', type: 'N', value: '5' }, { path: 'x', operator: 'exists', value: '' }], any: true }), 'Query byStatus: status = open, where total > 5 or x exists');
  assert.equal(told({ partition: ['c1'], mode: 'scan', columns: ['a', 'b'], consistent: true }), 'Scan, only a and b, consistent');
  assert.ok(told({ filters: [{ path: 'a', operator: '=', type: 'S', value: 'x'.repeat(1000) }] }).length <= 161);
});
