// A choice of the form in a few words: "Query byStatus: status = open and day > 3, where total > 10".

import { isQuery } from './builder.js';
import { operatorById } from './conditions.js';
import { findSource } from './table_model.js';
import { cut } from '../values/preview.js';

const kMaxLength = 160;

function conditionText({ path, operator, value, second }) {
  const { id, name, operands } = operatorById(operator);
  if (operands === 0) return `${path} ${name}`;
  return `${path} ${name} ${value}${id === 'between' ? ` and ${second}` : ''}`;
}

function keyTexts(source, choice) {
  const partition = source.partition.map(({ name }, index) => (
    { path: name, operator: '=', value: choice.partition[index] }));
  const sort = source.sort.map(({ name }, index) => ({ path: name, ...choice.sort[index] }));
  return [...partition, ...sort].filter(({ value }) => value !== undefined && value !== '').map(conditionText);
}

export function summaryOf(model, choice) {
  const source = findSource(model, choice.index) ?? model.sources[0];
  const query = isQuery(model, choice);
  const head = `${query ? 'Query' : 'Scan'}${source.name ? ` ${source.name}` : ''}`;
  const parts = [
    query ? `${head}: ${keyTexts(source, choice).join(' and ')}` : head,
    choice.filters.length > 0 && `where ${choice.filters.map(conditionText).join(choice.any ? ' or ' : ' and ')}`,
    choice.columns.length > 0 && `only ${choice.columns.join(' and ')}`,
    choice.descending && query && 'descending',
    choice.consistent && 'consistent',
  ];
  return cut(parts.filter(Boolean).join(', '), kMaxLength);
}
