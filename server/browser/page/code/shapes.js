// What the members of requests are, for languages that must name their types.
// 'string', 'int', 'bool'; 'strings': map of strings; 'texts': list of strings; 'item': map of
// attribute values; 'values': list of them; {enum}, {structure}, {list}, {map}.

const kExpressions = { ExpressionAttributeNames: 'strings', ExpressionAttributeValues: 'item' };
const kCapacity = { ReturnConsumedCapacity: { enum: 'ReturnConsumedCapacity' } };
const kCollections = { ReturnItemCollectionMetrics: { enum: 'ReturnItemCollectionMetrics' } };
const kOnFailure = { ReturnValuesOnConditionCheckFailure: { enum: 'ReturnValuesOnConditionCheckFailure' } };
const kWrite = {
  TableName: 'string', ConditionExpression: 'string', ...kExpressions, ...kOnFailure,
};
const kSingleWrite = { ...kWrite, ReturnValues: { enum: 'ReturnValue' }, ...kCapacity, ...kCollections };
const kRead = {
  TableName: 'string', IndexName: 'string', FilterExpression: 'string', ProjectionExpression: 'string', ...kExpressions,
  Select: { enum: 'Select' }, ConsistentRead: 'bool', Limit: 'int', ExclusiveStartKey: 'item', ...kCapacity,
};

export const kStructures = {
  Put: { ...kWrite, Item: 'item' },
  Update: { ...kWrite, Key: 'item', UpdateExpression: 'string' },
  Delete: { ...kWrite, Key: 'item' },
  ConditionCheck: { ...kWrite, Key: 'item' },
  Get: { TableName: 'string', Key: 'item', ProjectionExpression: 'string', ExpressionAttributeNames: 'strings' },
  TransactWriteItem: {
    Put: { structure: 'Put' }, Update: { structure: 'Update' }, Delete: { structure: 'Delete' },
    ConditionCheck: { structure: 'ConditionCheck' },
  },
  TransactGetItem: { Get: { structure: 'Get' } },
  PutRequest: { Item: 'item' },
  DeleteRequest: { Key: 'item' },
  WriteRequest: { PutRequest: { structure: 'PutRequest' }, DeleteRequest: { structure: 'DeleteRequest' } },
  KeysAndAttributes: {
    Keys: { list: 'item' }, ConsistentRead: 'bool', ProjectionExpression: 'string', ExpressionAttributeNames: 'strings',
  },
};

export const kOperations = {
  ListTables: { ExclusiveStartTableName: 'string', Limit: 'int' },
  Query: { ...kRead, KeyConditionExpression: 'string', ScanIndexForward: 'bool' },
  Scan: { ...kRead, Segment: 'int', TotalSegments: 'int' },
  GetItem: { ...kStructures.Get, ConsistentRead: 'bool', ...kCapacity },
  PutItem: { ...kSingleWrite, Item: 'item' },
  UpdateItem: { ...kSingleWrite, Key: 'item', UpdateExpression: 'string' },
  DeleteItem: { ...kSingleWrite, Key: 'item' },
  BatchGetItem: { RequestItems: { map: { structure: 'KeysAndAttributes' } }, ...kCapacity },
  BatchWriteItem: { RequestItems: { map: { list: { structure: 'WriteRequest' } } }, ...kCapacity, ...kCollections },
  TransactGetItems: { TransactItems: { list: { structure: 'TransactGetItem' } }, ...kCapacity },
  TransactWriteItems: {
    TransactItems: { list: { structure: 'TransactWriteItem' } }, ClientRequestToken: 'string',
    ...kCapacity, ...kCollections,
  },
  ExecuteStatement: {
    Statement: 'string', Parameters: 'values', ConsistentRead: 'bool', NextToken: 'string', Limit: 'int',
    ...kCapacity, ...kOnFailure,
  },
};

function isCovered(input, members) {
  return Object.entries(input).every(([name, content]) => (
    Object.hasOwn(members, name) && isShapeCovered(content, members[name])));
}

function isShapeCovered(content, shape) {
  if (shape.structure) return isCovered(content, kStructures[shape.structure]);
  if (shape.list) return content.every((each) => isShapeCovered(each, shape.list));
  if (shape.map) return Object.values(content).every((each) => isShapeCovered(each, shape.map));
  return true;
}

// Can the request be written in languages with types? Parameters that expressions replaced cannot.
export const isKnown = ({ operation, input }) => (
  Object.hasOwn(kOperations, operation) && isCovered(input, kOperations[operation]));
