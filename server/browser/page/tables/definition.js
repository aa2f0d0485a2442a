// A table as its reader thinks of it, and the requests that make one: pure, without page or server.
//
// {name, hash: [{name, type}], range: [{name, type}], billing: 'PAY_PER_REQUEST' | 'PROVISIONED',
//  read, write (units, as text), indexes: [{name, isGlobal, hash, range, projection, attributes,
//  read, write}], stream ('' or a view type), ttl ('' or an attribute), tags: [[key, value]],
//  isProtected, tableClass, recovers, others: [{kind, list, name, text, search: [{name, type}], input}]
//  (indexes that go as they are), besides: [text] (what a copy has not)}; also, of it and of an index,
//  mostOnDemand: OnDemandThroughput or null

export const kTypes = [['S', 'String'], ['N', 'Number'], ['B', 'Binary']];
export const kViews = [
  ['', 'Off'],
  ['NEW_AND_OLD_IMAGES', 'New and old images'],
  ['NEW_IMAGE', 'New image'],
  ['OLD_IMAGE', 'Old image'],
  ['KEYS_ONLY', 'Keys only'],
];
export const kProjections = [
  ['ALL', 'All attributes'], ['KEYS_ONLY', 'Keys only'], ['INCLUDE', 'Keys and listed attributes'],
];
export const kBilling = [['PAY_PER_REQUEST', 'On demand'], ['PROVISIONED', 'Provisioned']];
export const kClasses = [['STANDARD', 'Standard'], ['STANDARD_INFREQUENT_ACCESS', 'Standard, infrequent access']];

export function emptyIndex(isGlobal = true) {
  return {
    name: '', isGlobal, hash: [{ name: '', type: 'S' }], range: [],
    projection: 'ALL', attributes: [], read: '5', write: '5',
  };
}

export function emptyDefinition() {
  return {
    name: '',
    hash: [{ name: '', type: 'S' }],
    range: [],
    billing: 'PAY_PER_REQUEST',
    read: '5',
    write: '5',
    indexes: [],
    stream: '',
    ttl: '',
    tags: [],
    isProtected: false,
    tableClass: 'STANDARD',
    recovers: false,
    others: [],
    besides: [],
  };
}

// OnDemandThroughput with what limits; -1 stands for no limit.
function limitsOf({ OnDemandThroughput: limits = {} }) {
  const set = Object.entries(limits).filter(([, units]) => units > 0);
  return set.length > 0 ? Object.fromEntries(set) : null;
}

// [{name, type}]: `kind` is 'HASH' or 'RANGE', `types` a Map by name.
export function keysOfKind(schema, kind, types) {
  return schema.filter((key) => key.KeyType === kind)
    .map((key) => ({ name: key.AttributeName, type: types.get(key.AttributeName) ?? 'S' }));
}

function indexOf(description, isGlobal, types) {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = description.ProvisionedThroughput ?? {};
  return {
    name: description.IndexName,
    isGlobal,
    hash: keysOfKind(description.KeySchema, 'HASH', types),
    range: keysOfKind(description.KeySchema, 'RANGE', types),
    projection: description.Projection.ProjectionType,
    attributes: description.Projection.NonKeyAttributes ?? [],
    read: String(read || 5),
    write: String(write || 5),
    mostOnDemand: limitsOf(description),
  };
}

// What a description of a table lists of its indexes, of all kinds.
export function allIndexes(table) {
  const lists = ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes', ...kOtherKinds.map(({ list }) => list)];
  return lists.flatMap((list) => table[list] ?? []);
}

// "embedding, 3 dimensions, COSINE; tenant S"
function vectorText({ VectorAttribute: vector, Dimensions: dimensions, DistanceFunction: distance }, search) {
  const what = `${vector.AttributeName}, ${dimensions} ${dimensions === 1 ? 'dimension' : 'dimensions'}, ${distance}`;
  return search.length === 0 ? what : `${what}; ${describeKeys(search, [])}`;
}

// Kinds of indexes that no form edits: their list, members in CreateTable, and text in one line.
const kOtherKinds = [{
  kind: 'Vector',
  list: 'VectorIndexes',
  members: ['IndexName', 'VectorAttribute', 'SearchSchema', 'Projection', 'Dimensions', 'DistanceFunction'],
  text: vectorText,
}];

function othersOf(table, types) {
  return kOtherKinds.flatMap(({ kind, list, members, text }) => (table[list] ?? []).map((index) => {
    const search = (index.SearchSchema ?? []).map(({ AttributeName: name }) => (
      { name, type: types.get(name) ?? 'S' }));
    const input = Object.fromEntries(members.filter((name) => name in index).map((name) => [name, index[name]]));
    return { kind, list, name: index.IndexName, text: text(index, search), search, input };
  }));
}

function regionsOf(list) {
  return list.map((each) => each.RegionName).join(', ');
}

// What CreateTable has no word for.
function besidesOf({ Replicas = [], GlobalTableWitnesses = [], DisassociationProtectionEnabled: isKept }, hasPolicy) {
  return [
    Replicas.length > 0 && `the replicas (${regionsOf(Replicas)})`,
    GlobalTableWitnesses.length > 0 && `the witness (${regionsOf(GlobalTableWitnesses)})`,
    isKept && 'disassociation protection',
    hasPolicy && 'the resource policy',
  ].filter(Boolean);
}

export function isOnDemand(table) {
  return table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST';
}

// From the answers of DescribeTable, ListTagsOfResource, DescribeTimeToLive, DescribeContinuousBackups
// and GetResourcePolicy.
export function definitionOf(table, { tags = [], ttl = '', recovers = false, hasPolicy = false } = {}) {
  const types = new Map(table.AttributeDefinitions.map((each) => [each.AttributeName, each.AttributeType]));
  const units = table.ProvisionedThroughput ?? {};
  return {
    name: table.TableName,
    hash: keysOfKind(table.KeySchema, 'HASH', types),
    range: keysOfKind(table.KeySchema, 'RANGE', types),
    billing: isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    read: String(units.ReadCapacityUnits || 5),
    write: String(units.WriteCapacityUnits || 5),
    indexes: [
      ...(table.GlobalSecondaryIndexes ?? []).map((index) => indexOf(index, true, types)),
      ...(table.LocalSecondaryIndexes ?? []).map((index) => indexOf(index, false, types)),
    ],
    stream: table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType : '',
    ttl,
    tags: tags.map((tag) => [tag.Key, tag.Value]),
    isProtected: Boolean(table.DeletionProtectionEnabled),
    tableClass: table.TableClassSummary?.TableClass ?? 'STANDARD',
    recovers,
    others: othersOf(table, types),
    besides: besidesOf(table, hasPolicy),
    mostOnDemand: limitsOf(table),
  };
}

function keySchema({ hash, range }) {
  return [
    ...hash.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
    ...range.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
  ];
}

// What is no whole number goes as it is, and DynamoDB says what it thinks of it.
function toUnits(text) {
  return /^\d{1,15}$/.test(String(text).trim()) ? Number(text) : String(text);
}

export function throughput({ read, write }) {
  return { ReadCapacityUnits: toUnits(read), WriteCapacityUnits: toUnits(write) };
}

function projectionOf({ projection, attributes }) {
  return { ProjectionType: projection, ...(projection === 'INCLUDE' && { NonKeyAttributes: attributes }) };
}

// An element of GlobalSecondaryIndexes or LocalSecondaryIndexes.
function indexInput(index, billing) {
  const input = { IndexName: index.name, KeySchema: keySchema(index), Projection: projectionOf(index) };
  if (index.isGlobal && billing === 'PROVISIONED') input.ProvisionedThroughput = throughput(index);
  if (index.mostOnDemand && billing !== 'PROVISIONED') input.OnDemandThroughput = index.mostOnDemand;
  return input;
}

// Every attribute of a key or a search once, with the first type it is given.
function attributeDefinitions(keyed) {
  const types = new Map();
  for (const { hash = [], range = [], search = [] } of keyed) {
    for (const { name, type } of [...hash, ...range, ...search]) if (!types.has(name)) types.set(name, type);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

// CreateTable's input. Time to live and recovery are not of it: see laterCalls().
export function createInput(definition) {
  const { billing } = definition;
  const global = definition.indexes.filter((index) => index.isGlobal);
  // A local index has the table's partition key.
  const local = definition.indexes.filter((index) => !index.isGlobal)
    .map((index) => ({ ...index, hash: definition.hash }));
  const input = {
    TableName: definition.name,
    AttributeDefinitions: attributeDefinitions([definition, ...global, ...local, ...definition.others]),
    KeySchema: keySchema(definition),
    BillingMode: billing,
  };
  if (billing === 'PROVISIONED') input.ProvisionedThroughput = throughput(definition);
  if (definition.mostOnDemand && billing !== 'PROVISIONED') input.OnDemandThroughput = definition.mostOnDemand;
  if (global.length > 0) input.GlobalSecondaryIndexes = global.map((index) => indexInput(index, billing));
  if (local.length > 0) input.LocalSecondaryIndexes = local.map((index) => indexInput(index, billing));
  for (const { list, input: index } of definition.others) (input[list] ??= []).push(index);
  if (definition.stream) input.StreamSpecification = { StreamEnabled: true, StreamViewType: definition.stream };
  if (definition.tableClass !== 'STANDARD') input.TableClass = definition.tableClass;
  if (definition.isProtected) input.DeletionProtectionEnabled = true;
  if (definition.tags.length > 0) input.Tags = definition.tags.map(([Key, Value]) => ({ Key, Value }));
  return input;
}

export function ttlInput(table, attribute, enabled = true) {
  return { TableName: table, TimeToLiveSpecification: { Enabled: enabled, AttributeName: attribute } };
}

// What is to be called when the table is there: [operation, input] each.
export function laterCalls({ name, ttl, recovers }) {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  return [
    ...(ttl ? [['UpdateTimeToLive', ttlInput(name, ttl)]] : []),
    ...(recovers ? [['UpdateContinuousBackups', { TableName: name, PointInTimeRecoverySpecification }]] : []),
  ];
}

// The members that make UpdateTable add an index to a table.
export function addIndexInput(table, index) {
  const definition = definitionOf(table);
  return {
    TableName: table.TableName,
    AttributeDefinitions: attributeDefinitions([definition, ...definition.indexes, ...definition.others, index]),
    GlobalSecondaryIndexUpdates: [{ Create: indexInput(index, definition.billing) }],
  };
}

// "customer S, placed N": how keys are told in one line.
export function describeKeys(hash, range) {
  return [...hash, ...range].map(({ name, type }) => `${name} ${type}`).join(', ');
}
