// From a scenario's words to the SDK's requests and values. Their form: ../scenarios/README.md.

import {
  BatchGetCommand, DeleteCommand, GetCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';

export const shortErrors = { VE: 'ValidationException', CCF: 'ConditionalCheckFailedException' };

const commands = {
  query: QueryCommand,
  scan: ScanCommand,
  get: GetCommand,
  put: PutCommand,
  update: UpdateCommand,
  delete: DeleteCommand,
  batchGet: BatchGetCommand,
  createTable: CreateTableCommand,
};

// Member of a step -> member of the request.
const parameters = {
  index: 'IndexName',
  filter: 'FilterExpression',
  project: 'ProjectionExpression',
  if: 'ConditionExpression',
  change: 'UpdateExpression',
  names: 'ExpressionAttributeNames',
  limit: 'Limit',
  consistent: 'ConsistentRead',
  select: 'Select',
  returns: 'ReturnValues',
  segment: 'Segment',
  segments: 'TotalSegments',
  capacity: 'ReturnConsumedCapacity',
};
const expressions = ['filter', 'project', 'if', 'change'];
const otherMembers = ['check', 'expect', 'table', 'values', 'desc', 'metrics', 'continue', 'allPages'];

function mapObject(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

const isObject = (value) => typeof value === 'object' && value !== null;

/** A value of a scenario as the document client wants it. */
export function toValue(value) {
  if (Array.isArray(value)) return value.map(toValue);
  if (!isObject(value)) return value;
  if ('$set' in value) return new Set(value.$set);
  if ('$bytes' in value) return new Uint8Array(value.$bytes);
  if ('$text' in value) return 'x'.repeat(value.$text);
  return mapObject(value, toValue);
}

/** A value of an answer as a scenario writes it. */
export function fromValue(value) {
  if (Array.isArray(value)) return value.map(fromValue);
  if (value instanceof Set) return { $set: [...value].sort() };
  if (value instanceof Uint8Array) return { $bytes: value.length };
  return isObject(value) ? mapObject(value, fromValue) : value;
}

/** The index-th of $many items. */
function number(value, index) {
  if (typeof value === 'string') {
    return value.replace(/%(\d)d/g, (_, digits) => String(index).padStart(Number(digits), '0'));
  }
  if (!isObject(value)) return value;
  if ('$index' in value) return value.$index * index;
  return mapObject(value, (member) => number(member, index));
}

export function expandItems(items) {
  return items.flatMap((item) => {
    if (!('$many' in item)) return [toValue(item)];
    return Array.from({ length: item.$many }, (_, index) => toValue(number(item.$item, index)));
  });
}

/** 'Performer, Year:N' -> [['Performer', 'S'], ['Year', 'N']] */
export function parseKey(text) {
  return text.split(',').map((part) => {
    const [name, type = 'S'] = part.trim().split(':');
    return [name, type];
  });
}

export function keySchema(key) {
  return key.map(([AttributeName], place) => ({ AttributeName, KeyType: ['HASH', 'RANGE'][place] }));
}

export function attributeDefinitions(...keys) {
  const types = Object.fromEntries(keys.flat());
  return Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

export function tableRequest(TableName, table) {
  const indexes = (member) => Object.entries(table[member] ?? {}).map(([IndexName, text]) => ({
    IndexName,
    KeySchema: keySchema(parseKey(text)),
    Projection: { ProjectionType: 'ALL' },
  }));
  const texts = [table.key, ...Object.values(table.global ?? {}), ...Object.values(table.local ?? {})];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(parseKey(table.key)),
    AttributeDefinitions: attributeDefinitions(...texts.map(parseKey)),
    ...(table.global && { GlobalSecondaryIndexes: indexes('global') }),
    ...(table.local && { LocalSecondaryIndexes: indexes('local') }),
  };
}

/** Puts placeholders in place of the 'texts' of an expression. */
function liftTexts(expression, values) {
  return expression.replace(/'([^']*)'/g, (_, text) => {
    const placeholder = `:text${Object.keys(values).length}`;
    values[placeholder] = text;
    return placeholder;
  });
}

export function stepVerb(step) {
  const known = [...Object.keys(commands), ...Object.keys(parameters), ...otherMembers];
  const unknown = Object.keys(step).filter((member) => !known.includes(member));
  const verbs = Object.keys(commands).filter((verb) => verb in step);
  if (unknown.length > 0 || verbs.length !== 1) throw new Error(`${step.check}: ${verbs} ${unknown}`);
  return verbs[0];
}

function requestOf(verb, step, tables) {
  if (verb === 'createTable') return step.createTable;
  if (verb === 'batchGet') {
    return { RequestItems: mapObject(step.batchGet, (keys) => ({ Keys: toValue(keys) })) };
  }
  const values = toValue(step.values ?? {});
  const request = { TableName: verb === 'scan' ? step.scan : step.table ?? Object.keys(tables)[0] };
  if (verb === 'query') {
    request.KeyConditionExpression = liftTexts(step.query, values);
    request.ScanIndexForward = !step.desc;
  } else if (verb === 'put') {
    request.Item = toValue(step.put);
  } else if (verb !== 'scan') {
    request.Key = toValue(step[verb]);
  }
  for (const [member, parameter] of Object.entries(parameters)) {
    if (!(member in step)) continue;
    request[parameter] = expressions.includes(member) ? liftTexts(step[member], values) : step[member];
  }
  if (Object.keys(values).length > 0) request.ExpressionAttributeValues = values;
  if (step.metrics) request.ReturnItemCollectionMetrics = 'SIZE';
  return request;
}

/** The command class of a step and its request. */
export function stepCommand(step, tables) {
  const verb = stepVerb(step);
  return { verb, Command: commands[verb], request: requestOf(verb, step, tables) };
}
