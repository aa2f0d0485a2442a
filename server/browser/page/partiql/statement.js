// What a statement does, as far as it matters before it runs.

import { isName, nameOf, tokensOf } from './tokens.js';

const isIgnored = ({ type }) => type === 'space' || type === 'comment';

// Statements between semicolons: [{from, to, text}], without those that are empty.
export function splitStatements(text) {
  const parts = [];
  let from = 0;
  for (const token of [...tokensOf(text), { type: 'symbol', text: ';', from: text.length, to: text.length }]) {
    if (token.text !== ';' || token.type !== 'symbol') continue;
    const part = text.slice(from, token.from);
    if (tokensOf(part).some((each) => !isIgnored(each))) parts.push({ from, to: token.from, text: part.trim() });
    from = token.to;
  }
  return parts;
}

// The one that the caret is in, or behind.
export function statementAt(text, caret) {
  const parts = splitStatements(text);
  return parts.find(({ to }) => caret <= to) ?? parts.at(-1) ?? null;
}

const kKinds = {
  SELECT: 'select', INSERT: 'insert', UPDATE: 'update', DELETE: 'delete', FROM: 'update', EXISTS: 'select',
};
const kBeforeTable = ['FROM', 'INTO', 'UPDATE'];

// {kind, table, index, parameters, tokens}: table and index are null where they are not there yet.
export function describeStatement(text) {
  const tokens = tokensOf(text).filter((token) => !isIgnored(token));
  const isNameAt = (at) => at < tokens.length && isName(tokens[at]);
  const at = tokens.findIndex(({ type, value }, index) => (
    type === 'word' && kBeforeTable.includes(value) && isNameAt(index + 1)));
  const table = at < 0 ? null : nameOf(tokens[at + 1]);
  const hasIndex = table !== null && tokens[at + 2]?.text === '.' && isNameAt(at + 3);
  const index = hasIndex ? nameOf(tokens[at + 3]) : null;
  return {
    kind: kKinds[tokens[0]?.value] ?? null,
    table,
    index,
    parameters: tokens.filter(({ type, text: symbol }) => type === 'symbol' && symbol === '?').length,
    tokens,
  };
}

// Does the condition say which partition key? Otherwise a SELECT reads everything.
export function findsByKey({ tokens }, source) {
  const where = tokens.findIndex(({ type, value }) => type === 'word' && value === 'WHERE');
  if (where < 0 || tokens.slice(where).some(({ type, value }) => type === 'word' && value === 'OR')) return false;
  const isCompared = (index) => tokens[index - 1].text !== '.'
    && (tokens[index + 1]?.text === '=' || tokens[index + 1]?.value === 'IN');
  return source.partition.every(({ name }) => tokens.some((token, index) => (
    index > where && isName(token) && nameOf(token) === name && isCompared(index))));
}
