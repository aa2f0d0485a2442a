import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complete } from '../../../server/browser/page/partiql/completion.js';
import { describeStatement, findsByKey, splitStatements, statementAt } from '../../../server/browser/page/partiql/statement.js';
import { nameText, tokensOf } from '../../../server/browser/page/partiql/tokens.js';

const source = (name, partition, sort = []) => ({ name, partition: partition.map((each) => ({ name: each })), sort: sort.map((each) => ({ name: each })) });
const kWorld = {
  tables: () => ['Orders', 'Order "items"', 'Users', 'a-b.c'],
  model: (table) => (table === 'Orders' ? { sources: [source(null, ['customer'], ['order']), source('byStatus', ['status'], ['day'])] } : null),
  attributes: (table) => (table === 'Orders' ? ['total', 'date', 'odd name'] : []),
};
// The caret is at |.
function options(marked) {
  const caret = marked.indexOf('|');
  return complete(marked.replace('|', ''), caret, kWorld).options.map(({ text }) => text);
}
function completed(marked, label) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, options: found } = complete(text, caret, kWorld);
  const option = found.find((each) => each.label === label);
  assert.ok(option, `${label} at ${marked}: ${found.map((each) => each.label)}`);
  return text.slice(0, from) + option.text + text.slice(to);
}

test('tokens cover the text', () => {
  const text = 'SELECT "a""b", \'it\'\'s\' FROM t -- c\n/* x';
  assert.equal(tokensOf(text).map((token) => token.text).join(''), text);
  assert.deepEqual(tokensOf('"a""b"')[0].value, 'a"b');
  assert.deepEqual(tokensOf("'open")[0].type, 'string');
  assert.deepEqual([nameText('total'), nameText('date'), nameText('odd name'), nameText('a"b')], ['total', '"date"', '"odd name"', '"a""b"']);
});

test('statements are told apart', () => {
  const text = "SELECT ';' FROM a; -- ;\n DELETE FROM b WHERE x = 1 ;;";
  assert.deepEqual(splitStatements(text).map((each) => each.text), ["SELECT ';' FROM a", '-- ;\n DELETE FROM b WHERE x = 1']);
  assert.equal(statementAt(text, 3).text, "SELECT ';' FROM a");
  assert.equal(statementAt(text, text.length).text, '-- ;\n DELETE FROM b WHERE x = 1');
  assert.equal(statementAt(' ; ', 0), null);
});

test('a statement is known with its table, index and parameters', () => {
  const { kind, table, index, parameters } = describeStatement('select * from "Orders"."byStatus" where status = ? and x = \'?\'');
  assert.deepEqual([kind, table, index, parameters], ['select', 'Orders', 'byStatus', 1]);
  assert.equal(describeStatement('INSERT INTO Users VALUE {}').table, 'Users');
  assert.equal(describeStatement('UPDATE').table, null);
});

test('a SELECT that reads everything is noticed', () => {
  const [table, byStatus] = kWorld.model('Orders').sources;
  const finds = (text, from = table) => findsByKey(describeStatement(text), from);
  assert.ok(finds("SELECT * FROM Orders WHERE customer = 'a' AND total > 5"));
  assert.ok(finds("SELECT * FROM Orders WHERE total > 5 AND \"customer\" IN ['a']"));
  assert.ok(!finds('SELECT * FROM Orders'));
  assert.ok(!finds("SELECT * FROM Orders WHERE customer > 'a'"));
  assert.ok(!finds("SELECT * FROM Orders WHERE customer = 'a' OR total = 5"));
  assert.ok(!finds("SELECT * FROM Orders WHERE m.customer = 'a'"));
  assert.ok(finds("SELECT * FROM Orders.byStatus WHERE status = 'a'", byStatus));
});

test('each place has its completions', () => {
  assert.deepEqual(options('|'), ['SELECT', 'INSERT INTO', 'UPDATE', 'DELETE FROM']);
  assert.deepEqual(options('sel|'), ['SELECT']);
  assert.deepEqual(options('SELECT | FROM Orders').slice(0, 3), ['*', 'customer', '"order"']);
  assert.deepEqual(options('SELECT * |'), ['FROM']);
  assert.equal(completed('SELECT * FROM O|', 'Orders'), 'SELECT * FROM "Orders"');
  assert.equal(completed('SELECT * FROM "Or|', 'Order "items"'), 'SELECT * FROM "Order ""items"""');
  assert.equal(completed('SELECT * FROM "Or|"', 'Orders'), 'SELECT * FROM "Orders"');
  assert.equal(completed('SELECT * FROM a-b|', 'a-b.c'), 'SELECT * FROM "a-b.c"');
  assert.equal(completed('SELECT * FROM "Orders".|', 'byStatus'), 'SELECT * FROM "Orders"."byStatus"');
  assert.equal(completed('SELECT * FROM "Orders" wh|', 'WHERE'), 'SELECT * FROM "Orders" WHERE');
  assert.deepEqual(options('SELECT * FROM "Orders"."byStatus" WHERE |').slice(0, 2), ['status', 'day']);
  assert.equal(completed('SELECT * FROM "Orders" WHERE odd|', 'odd name'), 'SELECT * FROM "Orders" WHERE "odd name"');
  assert.equal(completed('SELECT * FROM "Orders" WHERE cust| = 1', 'customer'), 'SELECT * FROM "Orders" WHERE customer = 1');
  assert.ok(options('SELECT * FROM "Orders" WHERE customer |').includes('BETWEEN'));
  assert.ok(options('SELECT * FROM "Orders" WHERE customer = |').includes('?'));
  assert.ok(options("SELECT * FROM \"Orders\" WHERE customer = 'a' |").includes('AND'));
  assert.deepEqual(options("SELECT * FROM \"Orders\" WHERE customer = 'a|"), []);
  assert.deepEqual(options('SELECT * -- comment|'), []);
  assert.deepEqual(options('UPDATE "Orders" |'), ['SET', 'REMOVE']);
  assert.ok(options('UPDATE "Orders" SET total = |').includes('list_append('));
  assert.equal(completed('INSERT INTO "Orders" VALUE {|', 'total'), "INSERT INTO \"Orders\" VALUE {'total': ");
  assert.ok(options('DELETE FROM "Orders" WHERE customer = ? |').includes('RETURNING ALL OLD *'));
  assert.deepEqual(options('SELECT * FROM Users; |'), ['SELECT', 'INSERT INTO', 'UPDATE', 'DELETE FROM']);
  assert.deepEqual(options('SELECT * FROM "Orders" WHERE m.|'), []);
});
