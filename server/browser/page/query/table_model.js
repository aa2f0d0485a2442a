// What a builder of requests has to know of a table: its key, its indexes, their types. Made from an
// answer of DescribeTable.

import { keysOfKind } from '../tables/definition.js';

function source(name, kind, schema, types, projection, status = 'ACTIVE') {
  return {
    name, // null for the table itself
    kind, // 'table', 'global' or 'local'
    partition: keysOfKind(schema, 'HASH', types),
    sort: keysOfKind(schema, 'RANGE', types),
    projection: projection?.ProjectionType ?? 'ALL',
    included: projection?.NonKeyAttributes ?? [],
    status,
  };
}

export function tableModel(description) {
  const types = new Map((description.AttributeDefinitions ?? []).map((each) => (
    [each.AttributeName, each.AttributeType])));
  const table = source(null, 'table', description.KeySchema ?? [], types);
  const indexes = [
    ...(description.GlobalSecondaryIndexes ?? []).map((each) => (
      source(each.IndexName, 'global', each.KeySchema, types, each.Projection, each.IndexStatus))),
    ...(description.LocalSecondaryIndexes ?? []).map((each) => (
      source(each.IndexName, 'local', each.KeySchema, types, each.Projection))),
  ];
  return {
    name: description.TableName,
    status: description.TableStatus,
    items: description.ItemCount ?? 0,
    bytes: description.TableSizeBytes ?? 0,
    keys: [...table.partition, ...table.sort],
    sources: [table, ...indexes],
    types,
  };
}

// null when there is none of this name.
export const findSource = (model, name) => model.sources.find((each) => each.name === (name || null)) ?? null;

// Does an answer from here have whole items? Otherwise editing needs them read first.
export const isWhole = (source) => source.kind === 'table' || source.projection === 'ALL';

// The source that answers these equalities with the least reading: the one with the most key
// attributes among them; null when only a Scan can.
export function bestSource(model, names) {
  const given = new Set(names);
  let best = null;
  for (const each of model.sources) {
    if (each.status !== 'ACTIVE' || each.partition.length === 0) continue;
    if (!each.partition.every(({ name }) => given.has(name))) continue;
    let keys = each.partition.length;
    for (const { name } of each.sort) {
      if (!given.has(name)) break;
      keys += 1;
    }
    if (!best || keys > best.keys) best = { source: each, keys };
  }
  return best?.source ?? null;
}
