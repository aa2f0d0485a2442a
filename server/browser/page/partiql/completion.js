// What can come next in a statement: words of the language, tables, indexes, attributes.

import { describeStatement, statementAt } from './statement.js';
import { isName, nameText, quotedName, tokensOf } from './tokens.js';

const kStarts = ['SELECT', 'INSERT INTO', 'UPDATE', 'DELETE FROM'];
const kFunctions = ['attribute_type(', 'begins_with(', 'contains(', 'size('];
const kSetFunctions = ['list_append(', 'set_add(', 'set_delete('];
const kComparisons = [
  '=', '<>', '<', '<=', '>', '>=', 'BETWEEN', 'IN', 'IS MISSING', 'IS NOT MISSING', 'IS NULL', 'IS NOT NULL',
];
const kReturning = [
  'RETURNING ALL OLD *', 'RETURNING ALL NEW *', 'RETURNING MODIFIED OLD *', 'RETURNING MODIFIED NEW *',
];
const kConnectives = {
  select: ['AND', 'OR', 'ORDER BY'], update: ['AND', 'SET', 'REMOVE', 'WHERE', ...kReturning],
  delete: ['AND', 'RETURNING ALL OLD *'], insert: [],
};
const kAfterTable = {
  select: ['WHERE', 'ORDER BY'], update: ['SET', 'REMOVE'], delete: ['WHERE'], insert: ['VALUE {'],
};
const kClauses = ['SELECT', 'WHERE', 'SET', 'REMOVE', 'BY', 'VALUE', 'RETURNING'];
const kTakesOperand = ['WHERE', 'AND', 'OR', 'NOT', 'SET', 'REMOVE', 'BY', 'BETWEEN', 'IN'];
const kLiterals = ['TRUE', 'FALSE', 'NULL', 'MISSING'];
const kMaxOptions = 50;

const words = (list, kind = 'word') => list.map((text) => ({ text, label: text, kind, detail: '' }));
const named = (name, kind, detail = '', text = nameText(name)) => ({ text, label: name, kind, detail });

const tableOptions = (world) => world.tables().map((name) => named(name, 'table', '', quotedName(name)));

function indexOptions(world, table) {
  const model = world.model(table);
  const keysOf = (source) => [...source.partition, ...source.sort].map(({ name }) => name).join(', ');
  return (model?.sources ?? []).filter(({ name }) => name).map((source) => (
    named(source.name, 'index', keysOf(source), quotedName(source.name))));
}

// Keys first: a condition on them is what saves reading.
function attributeOptions(world, table, index) {
  const model = table && world.model(table);
  const source = model?.sources.find(({ name }) => name === index) ?? model?.sources[0];
  const roles = new Map([
    ...(source?.sort ?? []).map(({ name }) => [name, 'sort key']),
    ...(source?.partition ?? []).map(({ name }) => [name, 'partition key']),
  ]);
  const names = new Set([...[...roles.keys()].reverse(), ...(table ? world.attributes(table) : [])]);
  return [...names].map((name) => named(name, 'attribute', roles.get(name) ?? ''));
}

// The name of a table with characters that only quotes allow, written without them.
function looseTable(before, world) {
  const [, name] = /\b(?:FROM|INTO|UPDATE)\s+([\w.-]*[.-][\w.-]*)$/i.exec(before) ?? [];
  return name && world.tables().some((table) => table.toLowerCase().includes(name.toLowerCase())) ? name : null;
}

// The token that is being written at the caret, and those before it.
function beforeCaret(text, caret, world) {
  const loose = looseTable(text.slice(0, caret), world);
  const tokensTo = (end) => tokensOf(text.slice(0, end)).filter(({ type }) => type !== 'space');
  if (loose) {
    const from = caret - loose.length;
    return { before: tokensTo(from), writing: { type: 'word', text: loose, from }, last: null };
  }
  const tokens = tokensTo(caret);
  const last = tokens.at(-1);
  const isWritten = last && last.to === caret
    && (last.type === 'word' || (last.type === 'quoted' && !/^"(?:[^"]|"")*"$/.test(last.text)));
  const writing = isWritten ? last : null;
  return { before: writing ? tokens.slice(0, -1) : tokens, writing, last };
}

const clauseOf = (before) => (
  before.findLast(({ type, value }) => type === 'word' && kClauses.includes(value))?.value);

function optionsAt(before, statement, world) {
  const previous = before.at(-1);
  const { kind, table, index } = statement;
  if (!previous) return words(kStarts);
  const startsTable = ['FROM', 'INTO'].includes(previous.value)
    || (previous.value === 'UPDATE' && before.length === 1);
  if (previous.type === 'word' && startsTable) return tableOptions(world);
  const beforeThat = before.at(-2);
  if (previous.text === '.') {
    return beforeThat && isTableToken(before, before.length - 2) ? indexOptions(world, table) : [];
  }
  const clause = clauseOf(before);
  const attributes = () => attributeOptions(world, table, index);
  if (clause === 'SELECT' && !before.some(({ value, type }) => type === 'word' && value === 'FROM')) {
    if (previous.value !== 'SELECT' && previous.text !== ',') return words(['FROM']);
    return [...words(['*'], 'symbol'), ...attributes()];
  }
  if (isTableToken(before, before.length - 1)) return words(kAfterTable[kind] ?? []);
  if (clause === 'VALUE') {
    if (!['{', ','].includes(previous.text)) return [];
    return attributes().map((each) => ({ ...each, text: `'${each.label.replaceAll("'", "''")}': ` }));
  }
  if (previous.type === 'word' && kTakesOperand.includes(previous.value)) {
    return [...attributes(), ...(['SET', 'REMOVE', 'BY'].includes(clause) ? [] : words(['NOT', ...kFunctions]))];
  }
  if (['=', '<>', '<', '<=', '>', '>=', '!='].includes(previous.text)) {
    const more = clause === 'SET' ? [...attributes(), ...words(kSetFunctions)] : [];
    return [...words(['?', "'"], 'symbol'), ...words(kLiterals), ...more];
  }
  if (previous.text === ',' || previous.text === '(') return attributes();
  if (clause === 'BY') return words(['ASC', 'DESC']);
  if (isName(previous) && clause === 'WHERE') return words(kComparisons);
  if (isName(previous) && clause === 'SET') return words(['=']);
  return words(kConnectives[kind] ?? []);
}

// Is this the name of the table, or of its index?
function isTableToken(tokens, at) {
  if (at < 1 || !isName(tokens[at])) return false;
  const previous = tokens[at - 1];
  if (previous.type === 'word' && ['FROM', 'INTO', 'UPDATE'].includes(previous.value)) return true;
  return previous.text === '.' && at >= 2 && isTableToken(tokens, at - 2);
}

function matches(options, typed) {
  const wanted = typed.toLowerCase();
  const rank = ({ label }) => {
    const text = label.toLowerCase();
    return text.startsWith(wanted) ? 0 : text.includes(wanted) ? 1 : 2;
  };
  return options.filter((option) => rank(option) < 2 && option.text.toLowerCase() !== wanted)
    .sort((a, b) => rank(a) - rank(b)).slice(0, kMaxOptions);
}

// world: {tables(): names, model(table): what is known of it or null, attributes(table): names}.
// -> {from, to, options: [{text, label, kind, detail}]}: from and to is what an option replaces.
export function complete(text, caret, world) {
  const statement = statementAt(text, caret);
  const start = statement && caret >= statement.from && caret <= statement.to ? statement.from : caret;
  const { before, writing, last } = beforeCaret(text.slice(start), caret - start, world);
  if (last && last.to === caret - start && ['string', 'comment', 'number'].includes(last.type)
    && !(last.type === 'comment' && last.text.endsWith('*/'))) return { from: caret, to: caret, options: [] };
  const described = describeStatement(statement?.text ?? '');
  const typed = writing ? (writing.type === 'quoted' ? writing.value : writing.text) : '';
  const options = matches(optionsAt(before, described, world), typed);
  // A closing quote that is already there is replaced too.
  const to = writing?.type === 'quoted' && text[caret] === '"' ? caret + 1 : caret;
  return { from: writing ? start + writing.from : caret, to, options };
}
