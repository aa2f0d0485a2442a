import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CellEdits, fitsCell, kMaxEdits, partsOf } from '../../../server/browser/page/items/cell_edits.js';
import { chooseColumns, fitColumns, measureColumn } from '../../../server/browser/page/items/grid_columns.js';
import { updateRequest } from '../../../server/browser/page/values/change.js';
import { compareValues, sortItems } from '../../../server/browser/page/values/order.js';

const sum = (list) => list.reduce((total, each) => total + each, 0);

test('values are ordered as DynamoDB orders keys, and types follow each other', () => {
  const sorted = (values) => [...values].sort(compareValues);
  const numbers = ['-1E3', '-2', '0', '9', '10', '12345678901234567890123456789012345678', '12345678901234567890123456789012345679'].map((N) => ({ N }));
  assert.deepEqual(sorted([...numbers].reverse()), numbers);
  // By UTF-8: a character beyond U+FFFF comes after one below it.
  const texts = ['', 'B', 'a', 'aa', 'b', '\u00e4', '\uffee', '\u{1f600}'].map((S) => ({ S }));
  assert.deepEqual(sorted([...texts].reverse()), texts);
  assert.deepEqual(sorted([{ B: '/w==' }, { B: 'AA==' }, { B: 'AAA=' }]), [{ B: 'AA==' }, { B: 'AAA=' }, { B: '/w==' }]);
  const types = [{ N: '5' }, { S: '1' }, { B: 'AA==' }, { BOOL: false }, { BOOL: true }, { NULL: true }, { NS: ['1'] }, { SS: ['a'] }, { SS: ['a', 'b'] }, { L: [] }, { L: [{ S: 'x' }] }, { M: {} }, { M: { a: { S: 'x' } } }];
  assert.deepEqual(sorted([...types].reverse()), types);
});

test('equal items keep their order both ways, and items without the attribute come last', () => {
  const items = [['a', '2'], ['b', '1'], ['c', '2'], ['d'], ['e', '1'], ['f']].map(([id, N]) => ({ id, ...(N && { n: { N } }) }));
  const ids = (options) => sortItems(items, (item) => item.n, options).map(({ id }) => id).join('');
  assert.equal(ids(), 'beacdf');
  assert.equal(ids({ descending: true }), 'acbedf');
  assert.equal(items.map(({ id }) => id).join(''), 'abcdef');
});

test('columns fill the room exactly, cut ones first, and never shrink', () => {
  const column = (narrow, wide = narrow, more = {}) => ({ narrow, wide, isNumbers: false, ...more });
  assert.deepEqual(fitColumns([column(100), column(340, 600)], 500), [100, 400]);
  assert.deepEqual(fitColumns([column(100), column(340, 600)], 400), [100, 340]);
  assert.deepEqual(fitColumns([column(100, 100, { chosen: 150 }), column(100), column(200)], 900), [150, 250, 500]);
  assert.deepEqual(fitColumns([column(100, 100, { chosen: 150 })], 900), [150]);
  assert.deepEqual(fitColumns([], 900), []);
  const numbers = fitColumns([column(100), column(100, 100, { isNumbers: true })], 800);
  assert.ok(numbers[0] >= 3 * numbers[1] && sum(numbers) === 800, String(numbers));
  for (let room = 0; room < 2000; room += 37) {
    const columns = Array.from({ length: 1 + room % 7 }, (_, n) => column(60 + n * 13, 60 + n * 40, { isNumbers: n % 2 === 0, chosen: n === 3 ? 200 : undefined }));
    const widths = fitColumns(columns, room);
    const least = columns.map(({ narrow, chosen }) => chosen ?? narrow);
    assert.equal(sum(widths), Math.max(room, sum(least)));
    assert.ok(widths.every((width, index) => width >= least[index]), `${widths} at ${room}`);
  }
});

test('a column is measured by its name and its longest text', () => {
  assert.ok(measureColumn('a_rather_long_name', ['x']).narrow > measureColumn('a', ['x']).narrow);
  const { narrow, wide } = measureColumn('a', ['x'.repeat(90), null]);
  assert.ok(narrow < wide);
  assert.deepEqual(chooseColumns([{ b: 1 }, { a: 1, b: 1, id: 1 }], ['id']), ['id', 'b', 'a']);
});

const kKeys = [{ name: 'id', type: 'S' }, { name: 'at', type: 'N' }];
const item = (at, more) => ({ id: { S: 'a' }, at: { N: at }, ...more });

test('an edit is pending until it is taken back, and knows what was read', () => {
  let changes = 0;
  const edits = new CellEdits(kKeys, () => { changes += 1; });
  const first = item('1', { n: { N: '5' }, t: { S: 'x' } });
  assert.ok(edits.put(first, 'n', { N: '6' }));
  assert.ok(edits.put(first, 't', { S: 'y' }));
  assert.deepEqual([edits.count, edits.items, edits.value(first, 'n'), edits.value(first, 'at')], [2, 1, { N: '6' }, { N: '1' }]);
  // The same key, however its number is written, and read again with another value.
  assert.deepEqual(edits.value(item('1.0', { n: { N: '9' } }), 'n'), { N: '6' });
  edits.put(item('1', { n: { N: '9' } }), 'n', { N: '7' });
  const [entry] = edits.list();
  assert.deepEqual(entry.changes[0], { name: 'n', before: { N: '5' }, after: { N: '7' } });
  const { before, after } = partsOf(entry);
  const request = updateRequest('T', kKeys, before, after);
  assert.equal(request.ConditionExpression, 'attribute_exists(#id) AND #n = :was AND #t = :was2');
  assert.equal(request.UpdateExpression, 'SET #n = :now, #t = :now2');
  assert.deepEqual([request.Key, request.ExpressionAttributeValues], [{ id: { S: 'a' }, at: { N: '1' } }, { ':now': { N: '7' }, ':was': { N: '5' }, ':now2': { S: 'y' }, ':was2': { S: 'x' } }]);
  edits.put(first, 'n', { N: '5.0' });
  assert.equal(edits.count, 1);
  edits.drop(first, 't');
  assert.deepEqual([edits.count, edits.items], [0, 0]);
  assert.ok(changes >= 5);
});

test('edits are dropped where the item already is so, and rebased on what is there', () => {
  const edits = new CellEdits(kKeys);
  const first = item('1', { n: { N: '5' }, t: { S: 'x' } });
  edits.put(first, 'n', { N: '6' });
  edits.put(first, 't', { S: 'y' });
  edits.settle([item('1', { n: { N: '6.0' }, t: { S: 'z' } }), item('2', { n: { N: '1' } })]);
  assert.deepEqual(edits.list()[0].changes.map(({ name }) => name), ['t']);
  edits.rebase(first, 't', { S: 'z' });
  assert.deepEqual(edits.of(first, 't'), { before: { S: 'z' }, after: { S: 'y' } });
  edits.rebase(first, 't', undefined);
  assert.match(updateRequest('T', kKeys, ...Object.values(partsOf(edits.list()[0]))).ConditionExpression, /attribute_not_exists\(#t\)/);
  edits.rebase(first, 't', { S: 'y' });
  assert.equal(edits.count, 0);
});

test('keys and what a field would change are not edited, and there is a limit', () => {
  const edits = new CellEdits(kKeys);
  const first = item('1', { b: { BOOL: true }, crlf: { S: 'a\r\nb' }, long: { S: 'x'.repeat(4001) }, m: { M: {} }, nil: { NULL: true }, set: { SS: ['a'] }, bin: { B: 'AA==' } });
  const editable = ['id', 'at', 'b', 'crlf', 'long', 'm', 'nil', 'set', 'bin', 'absent'].filter((name) => edits.canEdit(first, name));
  assert.deepEqual(editable, ['b', 'bin']);
  assert.ok(fitsCell({ S: 'a\nb' }) && !fitsCell(undefined));
  for (let n = 0; n < kMaxEdits; n += 1) assert.ok(edits.put(item(String(n), { n: { N: '1' } }), 'n', { N: '2' }));
  assert.ok(!edits.put(item('1000', { n: { N: '1' } }), 'n', { N: '2' }));
  assert.ok(edits.put(item('0', { n: { N: '1' } }), 'n', { N: '3' }));
  assert.equal(edits.count, kMaxEdits);
  edits.clear();
  assert.equal(edits.count, 0);
});
