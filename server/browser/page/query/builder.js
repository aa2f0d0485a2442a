// From what is chosen in the form to the request: Query where the partition key is known, else Scan.
//
// The choice: {index, mode: 'auto' | 'scan', partition: [text], sort: [{operator, value, second}],
// filters: [condition], any: bool, columns: [path text], descending, consistent, limit}.

import { ConditionError, operatorById, parsePath, typedInput, writeCondition } from './conditions.js';
import { Placeholders } from './placeholders.js';
import { bestSource, findSource, isWhole } from './table_model.js';

export const emptyChoice = (index = null) => ({
  index, mode: 'auto', partition: [], sort: [], filters: [], any: false, columns: [],
  descending: false, consistent: false,
});

// A field of the form has a value when something is typed in it; an empty text is no key.
const isGiven = (text) => text !== undefined && text !== '';

export const isQuery = (model, choice) => {
  const source = findSource(model, choice.index);
  return choice.mode !== 'scan' && Boolean(source)
    && source.partition.some((key, index) => isGiven(choice.partition[index]));
};

function keyConditions(source, choice, words) {
  const parts = source.partition.map(({ name, type }, index) => {
    const field = `partition${index}`;
    const given = choice.partition[index];
    if (!isGiven(given)) throw new ConditionError(`A Query also needs a value for ${name}.`, field);
    return `${words.path([name])} = ${words.value(typedInput(given, type, field), name)}`;
  });
  let ended = false;
  for (const [index, { name, type }] of source.sort.entries()) {
    const given = choice.sort[index];
    if (!given || !isGiven(given.value)) {
      ended = true;
      continue;
    }
    const field = `sort${index}`;
    if (ended) {
      throw new ConditionError(`A condition on ${name} needs equality on all sort keys before it.`, `${field}value`);
    }
    // The path is in backticks, so that a key attribute may have any name but one with a backtick.
    parts.push(sortCondition(name, type, given, words, field));
    ended = given.operator !== '=';
  }
  return parts.join(' AND ');
}

function sortCondition(name, type, given, words, field) {
  const place = words.path([name]);
  const value = (part, text) => words.value(typedInput(text, type, `${field}${part}`), name);
  const first = value('value', given.value);
  if (given.operator === 'begins_with') return `begins_with(${place}, ${first})`;
  if (given.operator === 'between') return `${place} BETWEEN ${first} AND ${value('second', given.second ?? '')}`;
  return `${place} ${operatorById(given.operator).id} ${first}`;
}

function filterExpression(choice, words) {
  return choice.filters.map((filter, index) => writeCondition(filter, words, `filter${index}`))
    .join(choice.any ? ' OR ' : ' AND ');
}

// Query refuses filters on its own key attributes; a Scan takes any.
function checkFilters(source, choice) {
  const keys = [...source.partition, ...source.sort].map(({ name }) => name);
  for (const [index, { path }] of choice.filters.entries()) {
    const field = `filter${index}path`;
    const [name] = parsePath(path, field);
    if (!keys.includes(name)) continue;
    throw new ConditionError(`${name} is a key attribute. Set its condition in the key fields above.`, field);
  }
}

function projection(model, choice, words) {
  if (choice.columns.length === 0) return {};
  const paths = choice.columns.map((column) => parsePath(column, 'columns'));
  // Rows need their key, to be opened and changed.
  const missing = model.keys.filter(({ name }) => !paths.some((path) => path.length === 1 && path[0] === name));
  const all = [...missing.map(({ name }) => [name]), ...paths];
  return { ProjectionExpression: all.map((path) => words.path(path)).join(', ') };
}

// {operation, input}; throws ConditionError with the field that is wrong.
export function buildRequest(model, choice, { limit, start } = {}) {
  const source = findSource(model, choice.index);
  if (!source) throw new ConditionError(`The table has no index ${choice.index}.`, 'index');
  const words = new Placeholders();
  const query = isQuery(model, choice);
  if (query) checkFilters(source, choice);
  const input = {
    TableName: model.name,
    ...(source.name && { IndexName: source.name }),
    ...(query && { KeyConditionExpression: keyConditions(source, choice, words) }),
    ...(choice.filters.length > 0 && { FilterExpression: filterExpression(choice, words) }),
    ...projection(model, choice, words),
    ...words.members(),
    ...(query && choice.descending && { ScanIndexForward: false }),
    ...(choice.consistent && source.kind !== 'global' && { ConsistentRead: true }),
    ...(limit && { Limit: limit }),
    ...(start && { ExclusiveStartKey: start }),
    ReturnConsumedCapacity: 'TOTAL',
  };
  return { operation: query ? 'Query' : 'Scan', input };
}

// How many there are, without the items themselves.
export function countRequest(request) {
  const { ProjectionExpression: columns, Limit: limit, ...input } = request.input;
  if (columns) input.ExpressionAttributeNames = usedNames(input);
  const { ExpressionAttributeNames: names } = input;
  if (names && Object.keys(names).length === 0) delete input.ExpressionAttributeNames;
  return { operation: request.operation, input: { ...input, Select: 'COUNT' } };
}

function usedNames(input) {
  const text = `${input.KeyConditionExpression ?? ''} ${input.FilterExpression ?? ''}`;
  const used = new Set(text.match(/#[A-Za-z0-9_]+/g) ?? []);
  return Object.fromEntries(Object.entries(input.ExpressionAttributeNames ?? {}).filter(([word]) => used.has(word)));
}

// What to tell before it is sent: {kind, sentence, use}. `use` is an index whose Query would do.
export function advice(model, choice) {
  const source = findSource(model, choice.index);
  if (!source || isQuery(model, choice)) return null;
  const equal = choice.filters.filter(({ operator, path, value }) => operator === '=' && isGiven(value) && path);
  const best = choice.any ? null : bestSource(model, equal.map(({ path }) => path));
  if (best) {
    const where = best.name ? `the index ${best.name}` : 'the key of the table';
    return { kind: 'use', sentence: `A Query on ${where} reads only matching items.`, use: best.name, source: best };
  }
  return null;
}

// The choice with the equal filters that are keys of the source moved there.
export function useSource(choice, source) {
  const filters = [...choice.filters];
  const takeFilter = (name) => {
    const at = filters.findIndex(({ path, operator, value }) => path === name && operator === '=' && isGiven(value));
    return at < 0 ? undefined : filters.splice(at, 1)[0].value;
  };
  const partition = source.partition.map(({ name }) => takeFilter(name));
  const sort = [];
  for (const { name } of source.sort) {
    const value = takeFilter(name);
    if (value === undefined) break;
    sort.push({ operator: '=', value });
  }
  return { ...choice, index: source.name, mode: 'auto', partition, sort, filters };
}

// All attributes of an index that does not have whole items.
export const showsWholeItems = (model, choice) => (
  choice.columns.length === 0 && isWhole(findSource(model, choice.index) ?? model.sources[0]));
