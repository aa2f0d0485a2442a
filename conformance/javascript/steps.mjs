// From a scenario's words to the SDK's requests and values. Their form: ../scenarios/README.md.

import { randomBytes } from 'node:crypto';
import {
  BatchGetCommand, DeleteCommand, GetCommand, PutCommand, QueryCommand, ScanCommand, TransactGetCommand,
  TransactWriteCommand, UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import {
  CreateTableCommand, DescribeTimeToLiveCommand, UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

export const shortErrors = { VE: 'ValidationException', CCF: 'ConditionalCheckFailedException' };
export const shortReasons = { ok: 'None', CCF: 'ConditionalCheckFailed', VE: 'ValidationError' };

// Verbs that say the raw request.
const raw = {
  createTable: CreateTableCommand,
  updateTimeToLive: UpdateTimeToLiveCommand,
  describeTimeToLive: DescribeTimeToLiveCommand,
};

const commands = {
  query: QueryCommand,
  scan: ScanCommand,
  get: GetCommand,
  put: PutCommand,
  update: UpdateCommand,
  delete: DeleteCommand,
  batchGet: BatchGetCommand,
  transact: TransactWriteCommand,
  transactGet: TransactGetCommand,
  ...raw,
};

const records = 'records'; // the one verb that is no command

export const reads = ['query', 'scan', 'get', 'batchGet', 'transactGet', 'describeTimeToLive', records];

// Verb of an action in a transaction -> member of the request.
const actions = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck', get: 'Get' };

const now = Math.floor(Date.now() / 1000); // of {"$now": n}
const run = randomBytes(6).toString('hex'); // goes behind client tokens: a server knows those of the last run

// Member of a step -> member of the request.
const parameters = {
  query: 'KeyConditionExpression',
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
const expressions = ['query', 'filter', 'project', 'if', 'change'];
const otherMembers = [
  'check', 'expect', 'table', 'values', 'desc', 'metrics', 'continue', 'allPages', 'token', 'eventually',
];

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
  if ('$now' in value) return now + value.$now;
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
  if (Array.isArray(value)) return value.map((element) => number(element, index));
  if (!isObject(value)) return value;
  if ('$index' in value) return value.$index * index;
  return mapObject(value, (member) => number(member, index));
}

/** Rows with each $many as what it stands for. */
function expand(rows) {
  return rows.flatMap((row) => (
    '$many' in row ? Array.from({ length: row.$many }, (_, index) => number(row.$item, index)) : [row]));
}

export const expandItems = (items) => expand(items).map(toValue);

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
    Projection: { ProjectionType: table.projects?.[IndexName] ?? 'ALL' },
  }));
  const texts = [table.key, ...Object.values(table.global ?? {}), ...Object.values(table.local ?? {})];
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(parseKey(table.key)),
    ...(table.stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: table.stream } }),
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
  const knownVerbs = [...Object.keys(commands), records];
  const known = [...knownVerbs, ...Object.keys(parameters), ...otherMembers];
  const unknown = Object.keys(step).filter((member) => !known.includes(member));
  const verbs = knownVerbs.filter((verb) => verb in step);
  if (unknown.length > 0 || verbs.length !== 1) throw new Error(`${step.check}: ${verbs} ${unknown}`);
  return verbs[0];
}

/** A step's expressions, names, values and other parameters as members of a request. */
function parametersOf(step) {
  const request = {};
  const values = toValue(step.values ?? {});
  for (const [member, parameter] of Object.entries(parameters)) {
    if (!(member in step)) continue;
    request[parameter] = expressions.includes(member) ? liftTexts(step[member], values) : step[member];
  }
  if (Object.keys(values).length > 0) request.ExpressionAttributeValues = values;
  return request;
}

/** One action of a transaction. */
function actionOf(action, defaultTable) {
  const verb = Object.keys(actions).find((name) => name in action);
  return {
    [actions[verb]]: {
      TableName: action.table ?? defaultTable,
      [verb === 'put' ? 'Item' : 'Key']: toValue(action[verb]),
      ...parametersOf(action),
    },
  };
}

function requestOf(verb, step, tables) {
  const table = step.table ?? Object.keys(tables)[0];
  if (verb in raw) return step[verb];
  if (verb === 'batchGet') {
    return { RequestItems: mapObject(step.batchGet, (keys) => ({ Keys: toValue(keys) })) };
  }
  if (verb === 'transact' || verb === 'transactGet') {
    const TransactItems = expand(step[verb]).map((action) => actionOf(action, table));
    return { TransactItems, ...(step.token && { ClientRequestToken: `${step.token}-${run}` }) };
  }
  const request = { TableName: verb === 'scan' ? step.scan : table, ...parametersOf(step) };
  if (verb === 'query') request.ScanIndexForward = !step.desc;
  else if (verb === 'put') request.Item = toValue(step.put);
  else if (verb !== 'scan') request.Key = toValue(step[verb]);
  if (step.metrics) request.ReturnItemCollectionMetrics = 'SIZE';
  return request;
}

/** The command class of a step and its request. */
export function stepCommand(step, tables) {
  const verb = stepVerb(step);
  return { verb, Command: commands[verb], request: requestOf(verb, step, tables) };
}
