import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf, csvHead, csvLine, noteColumns, readCsvItem, readHead, readRecord } from '../../../server/browser/page/values/csv.js';
import { createRequest, deleteRequest, findChanges, moveRequest, updateRequest } from '../../../server/browser/page/values/change.js';
import { converted, moved, renamed, valueAt, without, withValue } from '../../../server/browser/page/values/edit.js';
import { guessFormat, ItemReader, RecordCutter } from '../../../server/browser/page/values/files.js';
import { JsonError, readJson, writeJson } from '../../../server/browser/page/values/json_text.js';
import { canonical, compareNumbers, numberProblem, sameNumber } from '../../../server/browser/page/values/numbers.js';
import { findPlainLoss, plainLine, plainText, readPlainItem, typeChanges } from '../../../server/browser/page/values/plain.js';
import { preview, visible } from '../../../server/browser/page/values/preview.js';
import { readTypedItem, typedLine, typedText } from '../../../server/browser/page/values/typed.js';
import { findItemProblem, findProblem, itemBytes, sameItems, sameValue } from '../../../server/browser/page/values/types.js';

const kDigits = '12345678901234567890123456789012345678';
const kHostile = JSON.parse('{"__proto__":{"S":"<img src=x onerror=alert(1)>"},"constructor":{"M":{"__proto__":{"N":"1"}}}}');
const kItem = {
  pk: { S: 'a "quoted", text' }, n: { N: kDigits }, b: { B: 'AAEC' }, yes: { BOOL: true }, none: { NULL: true },
  ss: { SS: ['x","y', 'z'] }, ns: { NS: ['1', kDigits] }, bs: { BS: ['AA==', 'AQ=='] }, list: { L: [{ N: '1.5' }, { SS: ['q'] }, { L: [] }] },
  map: { M: { deep: { M: { B: { B: '' }, text: { S: 'two\nlines\u202e' } } }, empty: { M: {} } } }, ...kHostile,
};
const kKeys = [{ name: 'pk', type: 'S' }];

test('numbers are exact', () => {
  assert.equal(canonical(kDigits), kDigits);
  assert.equal(canonical('-0012.3400e2'), '-1234');
  assert.equal(canonical('1e-3'), '0.001');
  assert.equal(canonical('1E125'), `1${'0'.repeat(125)}`);
  assert.equal(canonical('-0.0'), '0');
  assert.equal(canonical('.5'), '0.5');
  assert.equal(numberProblem(`0.${kDigits}`), null);
  assert.match(numberProblem(`${kDigits}9`), /38 digits\. This number has 39/);
  assert.equal(numberProblem(`${kDigits}000`), null);
  for (const bad of ['', ' ', 'abc', '1e', '0x10', 'NaN', 'Infinity', '1,5', '--1', '1 2']) assert.ok(numberProblem(bad), bad);
  assert.equal(numberProblem('9.9999999999999999999999999999999999999E125'), null);
  assert.match(numberProblem('1E126'), /too large/);
  assert.equal(numberProblem('1E-130'), null);
  assert.match(numberProblem('1E-131'), /too close/);
  assert.match(numberProblem('1e99999999999'), /too large/);
  assert.equal(numberProblem('0e99999999999'), null);
});

test('numbers are compared by value', () => {
  assert.ok(sameNumber('1.0', '100e-2'));
  assert.ok(!sameNumber(kDigits, kDigits.replace(/8$/, '9')));
  const order = ['-1e10', '-2', '-1.5', '0', '1e-130', '0.1', '0.11', '2', '10', '1e125'];
  for (const [index, each] of order.entries()) {
    for (const [other, against] of order.entries()) assert.equal(Math.sign(compareNumbers(each, against)), Math.sign(index - other), `${each} ${against}`);
  }
});

test('JSON keeps digits and refuses what is not clear', () => {
  const text = `{"a":[1.10,{"__proto__":${kDigits}9},"\\u00e9\\n",true,null,[],{}]}`;
  assert.equal(writeJson(readJson(text)), text.replace('\\u00e9', '\u00e9'));
  assert.equal(readJson(writeJson(readJson(text), '  ')).get('a').length, 7);
  for (const bad of ['', '{', '[1,]', '{"a":1,}', '{a:1}', '"x', '"\n"', '01', '1.', '"\\x"', '"\\u12"', '{"a":1 "b":2}', 'tru', '1 2', '{"a":1,"a":2}', '['.repeat(300)]) {
    assert.throws(() => readJson(bad), JsonError, bad);
  }
  assert.throws(() => readJson('{\n  "a": 1,\n  "a": 2\n}'), /Line 3, column 3: The name "a" appears twice/);
});

test('typed JSON is read back as it was', () => {
  assert.deepEqual(readTypedItem(typedText(kItem)), kItem);
  assert.deepEqual(readTypedItem(typedLine(kItem)), kItem);
  assert.ok(Object.hasOwn(readTypedItem(typedText(kItem)), '__proto__'));
  assert.equal({}.polluted, undefined);
  assert.throws(() => readTypedItem('{"a":"b"}'), /^ItemError|a: A value is an object/);
  assert.throws(() => readTypedItem('{"a":{"X":"b"}}'), /"X" is not a type/);
  assert.throws(() => readTypedItem('{"a":{"M":{"b":{"SS":[1]}}}}'), /a\.b: A value of type SS must be in quotes/);
  assert.throws(() => readTypedItem('{"a":{"L":[{"NULL":false}]}}'), /a\[0\]: The type "NULL" cannot/);
  assert.deepEqual(readTypedItem('{"a":{"N":1.50}}'), { a: { N: '1.50' } });
});

test('plain JSON keeps the types of what it came from', () => {
  assert.deepEqual(readPlainItem(plainText(kItem), kItem), kItem);
  assert.deepEqual(readPlainItem('{"ss":["a",1]}', kItem), { ss: { L: [{ S: 'a' }, { N: '1' }] } });
  assert.deepEqual(readPlainItem('{"b":"not base64!"}', kItem), { b: { S: 'not base64!' } });
  assert.deepEqual(typeChanges(kItem, readPlainItem('{"ss":["a",1],"n":1,"map":{"deep":1}}', kItem)), ['ss: SS, now L', 'map.deep: M, now N']);
  assert.throws(() => readPlainItem('{"a":[1e400]}'), /a\[0\]: 1e400 exceeds the range/);
  assert.equal(plainLine({ n: { N: kDigits } }), `{"n":${kDigits}}`);
  assert.deepEqual(findPlainLoss({ M: kItem.list.L[1] ? { l: kItem.list } : {} }), ['l', 1]);
});

test('values are compared as DynamoDB does', () => {
  assert.ok(sameValue({ NS: ['1', '2'] }, { NS: ['2.0', '1'] }));
  assert.ok(!sameValue({ S: '1' }, { N: '1' }));
  assert.ok(sameItems(kItem, readTypedItem(typedLine(kItem))));
  assert.ok(!sameItems({ a: { L: [{ N: '1' }] } }, { a: { L: [{ N: '1' }, { N: '1' }] } }));
});

test('problems name their place', () => {
  assert.equal(findItemProblem(kItem, kKeys), null);
  assert.deepEqual(findItemProblem({ n: { N: '1' } }, kKeys).path, ['pk']);
  assert.match(findItemProblem({ pk: { N: '1' } }, kKeys).message, /must be a string/);
  assert.match(findItemProblem({ pk: { S: '' } }, kKeys).message, /not be empty/);
  assert.deepEqual(findProblem({ M: { a: { L: [{ N: '1' }, { N: 'x' }] } } }).path, ['a', 1]);
  assert.match(findProblem({ NS: ['1', '1.0'] }).message, /twice/);
  assert.match(findProblem({ SS: [] }).message, /at least one/);
  let deep = { S: 'x' };
  for (let level = 0; level < 40; level += 1) deep = { L: [deep] };
  assert.match(findProblem(deep).message, /32 levels/);
});

test('sizes are about those of DynamoDB', () => {
  assert.equal(itemBytes({ pk: { S: '\u00e9' } }), 4);
  assert.equal(itemBytes({ a: { B: 'AAEC' } }), 4);
});

test('edits touch nothing else', () => {
  assert.deepEqual(withValue(kItem, ['map', 'deep', 'text'], { S: 'new' }).map.M.deep.M, { B: { B: '' }, text: { S: 'new' } });
  assert.deepEqual(withValue(kItem, ['list', 0], { N: '2' }).list.L.length, 3);
  assert.deepEqual(withValue(kItem, ['list', 9], { N: '2' }).list.L[3], { N: '2' });
  assert.deepEqual(Object.keys(without(kItem, ['constructor', '__proto__']).constructor.M), []);
  assert.deepEqual(Object.keys(renamed({ a: { S: '1' }, b: { S: '2' } }, ['a'], 'c')), ['c', 'b']);
  assert.equal(renamed({ a: { S: '1' }, b: { S: '2' } }, ['a'], 'b'), null);
  assert.deepEqual(moved({ l: { L: [{ N: '1' }, { N: '2' }] } }, ['l', 1], -1), { l: { L: [{ N: '2' }, { N: '1' }] } });
  assert.deepEqual(valueAt(kItem, ['list', 1]), { SS: ['q'] });
  assert.equal(Object.getPrototypeOf(withValue({}, ['__proto__'], { S: 'x' })), Object.prototype);
});

test('a value keeps its meaning in another type', () => {
  assert.deepEqual(converted({ S: '1.50' }, 'N'), { N: '1.5' });
  assert.deepEqual(converted({ S: 'x' }, 'N'), { N: '0' });
  assert.deepEqual(converted({ N: kDigits }, 'S'), { S: kDigits });
  assert.deepEqual(converted({ SS: ['a', 'b'] }, 'L'), { L: [{ S: 'a' }, { S: 'b' }] });
  assert.deepEqual(converted({ L: [{ N: '1' }, { N: '1' }, { S: '2' }] }, 'NS'), { NS: ['1', '2'] });
  assert.deepEqual(converted({ S: '\u00e9' }, 'B'), { B: 'w6k=' });
  assert.deepEqual(converted({ B: 'w6k=' }, 'S'), { S: '\u00e9' });
  assert.deepEqual(converted({ B: '/w==' }, 'S'), { S: '/w==' });
  assert.deepEqual(converted({ L: [] }, 'SS'), { SS: [''] });
});

test('an edit sends what changed, on condition of what was read', () => {
  const before = { pk: { S: 'a' }, name: { S: 'x' }, address: { M: { city: { S: 'Bonn' }, zip: { S: '1' } } }, gone: { N: '1' }, same: { NS: ['1', '2'] } };
  const after = { pk: { S: 'a' }, name: { S: 'y' }, address: { M: { city: { S: 'Ulm' }, zip: { S: '1' } } }, added: { N: '2' }, same: { NS: ['2', '1'] } };
  assert.deepEqual(findChanges(before, after).map(({ path }) => path.join('.')), ['name', 'address.city', 'gone', 'added']);
  const request = updateRequest('T', kKeys, before, after);
  assert.equal(request.UpdateExpression, 'SET #name = :now, #address.#city = :now2, #added = :now3 REMOVE #gone');
  assert.equal(request.ConditionExpression, 'attribute_exists(#pk) AND #name = :was AND #address.#city = :was2 AND #gone = :was3 AND attribute_not_exists(#added)');
  assert.deepEqual(request.Key, { pk: { S: 'a' } });
  assert.equal(updateRequest('T', kKeys, before, structuredClone(before)), null);
  assert.equal(deleteRequest('T', kKeys, before).ConditionExpression, undefined);
  assert.match(deleteRequest('T', kKeys, before, { read: true }).ConditionExpression, /#gone = /);
  assert.match(createRequest('T', kKeys, before).ConditionExpression, /attribute_not_exists\(#pk\)/);
  assert.equal(moveRequest('T', kKeys, before, { ...before, pk: { S: 'b' } }).TransactItems.length, 2);
});

test('previews are one line of visible characters', () => {
  assert.equal(visible('a\nb\u202ec\u0000'), 'a\u21b5b\u27e8U+202E\u27e9c\u2400');
  assert.ok(preview({ S: 'x'.repeat(400000) }).length < 110);
  assert.equal(preview({ M: { a: { S: 'b' }, n: { N: '1' } } }), '{a: "b", n: 1}');
  assert.match(preview({ L: Array.from({ length: 10000 }, () => ({ N: '1' })) }), /10000 in all\]$/);
  let deep = { S: 'x' };
  for (let level = 0; level < 32; level += 1) deep = { M: { m: deep } };
  assert.ok(preview(deep).length < 200);
  assert.equal(preview({ SS: ['a', 'b'] }), '{"a", "b"}');
});

test('CSV is read back as it was', () => {
  const items = [kItem, { pk: { S: '' }, n: { S: 'other type' } }];
  const known = new Map();
  for (const item of items) noteColumns(known, item);
  const columns = columnsOf(known, kKeys);
  assert.equal(columns[0].name, 'pk');
  const head = readHead(csvHead(columns));
  assert.deepEqual(head, columns);
  for (const item of items) assert.ok(sameItems(readCsvItem(csvLine(item, columns), head), item));
  assert.equal(readRecord('a,"b ""c""\n",').length, 3);
  assert.throws(() => readRecord('a,b"c'), /quote/);
  assert.throws(() => readHead('a:S,a:N'), /twice/);
  assert.deepEqual(readCsvItem('1,x,,""', readHead('n,s,t,e:S')), { n: { N: '1' }, s: { S: 'x' }, e: { S: '' } });
  assert.throws(() => readCsvItem('1', readHead('a,b')), /1 cells/);
});

test('records are cut wherever the pieces end', () => {
  const csv = 'pk:S,t:S\r\na,"two\nlines, ""q"""\r\nb,c';
  const json = '\ufeff\n{\n "pk": {"S": "b\\"{"}\n}\n{"pk":{"S":"a"}}\n\n{"pk":{"S":"c"}}';
  for (const [text, isCsv, count] of [[csv, true, 3], [json, false, 3]]) {
    for (let size = 1; size < text.length; size += 1) {
      const cutter = new RecordCutter({ csv: isCsv });
      const records = [];
      for (let at = 0; at < text.length; at += size) records.push(...cutter.take(text.slice(at, at + size)));
      records.push(...cutter.take('', true));
      assert.equal(records.length, count, `${size}`);
      assert.deepEqual(records.map(({ line }) => line), isCsv ? [1, 2, 4] : [1, 5, 7]);
      const reader = new ItemReader(isCsv ? 'csv' : 'json-typed');
      assert.equal(records.flatMap((record) => reader.items(record.text)).length, isCsv ? 2 : 3);
    }
  }
});

test('a broken line of many is one broken record', () => {
  const cutter = new RecordCutter({ csv: false });
  const records = [...cutter.take('{"a":1}\n{"b":\n{"c":"\n{"d":4}'), ...cutter.take('', true)];
  assert.deepEqual(records.map(({ text, line }) => [text, line]), [['{"a":1}', 1], ['{"b":', 2], ['{"c":"', 3], ['{"d":4}', 4]]);
});

test('formats are told from names and records', () => {
  assert.equal(guessFormat('a.csv', 'pk:S'), 'csv');
  assert.equal(guessFormat('a.jsonl', '{"pk":{"S":"a"}}'), 'json-typed');
  assert.equal(guessFormat('a.json', '{"Item":{"pk":{"S":"a"}}}'), 'json-typed');
  assert.equal(guessFormat('a.json', '[{"pk":"a"}]'), 'json-plain');
  assert.deepEqual(new ItemReader('json-plain').items('[{"pk":"a"},{"pk":"b"}]').length, 2);
  assert.deepEqual(new ItemReader('json-typed').items('{"Item":{"pk":{"S":"a"}}}'), [{ pk: { S: 'a' } }]);
});
