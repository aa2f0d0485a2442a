// What the page writes of a table for other tools, and the requests it makes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  addIndexInput, createInput, definitionOf, emptyDefinition,
} from '../../../server/browser/page/tables/definition.js';
import {
  allForms, cloudFormation, commandLine, hclText, logicalName, terraform, toYaml,
} from '../../../server/browser/page/tables/templates.js';
import { kMostTables, readTemplate } from '../../../server/browser/page/tables/template_reader.js';

const definition = {
  ...emptyDefinition(),
  name: 'Orders',
  hash: [{ name: 'customer', type: 'S' }],
  range: [{ name: 'placed', type: 'N' }],
  billing: 'PROVISIONED',
  read: '7',
  write: '8',
  indexes: [
    {
      name: 'byStatus', isGlobal: true, hash: [{ name: 'status', type: 'S' }], range: [{ name: 'placed', type: 'N' }],
      projection: 'INCLUDE', attributes: ['total'], read: '1', write: '2',
    },
    {
      name: 'own', isGlobal: false, hash: [{ name: 'ignored', type: 'S' }], range: [{ name: 'status', type: 'S' }],
      projection: 'KEYS_ONLY', attributes: [], read: '', write: '',
    },
  ],
  stream: 'NEW_IMAGE',
  ttl: 'expires',
  tags: [['team', 'shop ${x} "y"']],
  isProtected: true,
};

const created = {
  TableName: 'Orders',
  AttributeDefinitions: [
    { AttributeName: 'customer', AttributeType: 'S' },
    { AttributeName: 'placed', AttributeType: 'N' },
    { AttributeName: 'status', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'placed', KeyType: 'RANGE' }],
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 8 },
  GlobalSecondaryIndexes: [{
    IndexName: 'byStatus',
    KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }, { AttributeName: 'placed', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total'] },
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 },
  }],
  LocalSecondaryIndexes: [{
    IndexName: 'own',
    KeySchema: [{ AttributeName: 'customer', KeyType: 'HASH' }, { AttributeName: 'status', KeyType: 'RANGE' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
  }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
  DeletionProtectionEnabled: true,
  Tags: [{ Key: 'team', Value: 'shop ${x} "y"' }],
};

test('a definition becomes CreateTable, and a description the definition', () => {
  assert.deepEqual(createInput(definition), created);
  const { Tags, BillingMode, ...table } = created;
  const again = definitionOf(table, { tags: Tags, ttl: 'expires' });
  assert.deepEqual(createInput(again), created);
});

test('an index is added with the attributes of all keys', () => {
  const index = { ...definition.indexes[0], name: 'new', hash: [{ name: 'a', type: 'B' }, { name: 'b', type: 'N' }] };
  const input = addIndexInput(created, index);
  assert.deepEqual(input.AttributeDefinitions.map((each) => each.AttributeName), ['customer', 'placed', 'status', 'a', 'b']);
  assert.equal(input.GlobalSecondaryIndexUpdates[0].Create.KeySchema.length, 3);
});

test('limits and recovery are told to every tool', () => {
  const OnDemandThroughput = { MaxReadRequestUnits: 10, MaxWriteRequestUnits: -1 };
  const { ProvisionedThroughput, ...table } = {
    ...created, BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' }, OnDemandThroughput,
  };
  const limited = definitionOf(table, { recovers: true });
  assert.deepEqual(createInput(limited).OnDemandThroughput, { MaxReadRequestUnits: 10 });
  assert.match(cloudFormation(limited), / {6}OnDemandThroughput:\n {8}MaxReadRequestUnits: 10\n/);
  assert.match(cloudFormation(limited), /PointInTimeRecoveryEnabled: true/);
  assert.match(terraform(limited), / {2}on_demand_throughput \{\n {4}max_read_request_units = 10\n {2}\}\n/);
  assert.match(terraform(limited), /point_in_time_recovery \{\n {4}enabled = true/);
  assert.match(commandLine(limited), /update-continuous-backups \\\n[^]*PointInTimeRecoveryEnabled/);
});

test('vector indexes go to every tool that has them, and are named for the others', () => {
  const VectorIndexes = [{
    IndexName: 'byMeaning',
    VectorAttribute: { AttributeName: 'embedding' },
    SearchSchema: [{ AttributeName: 'tenant', SearchSchemaElementType: 'INLINE_FILTER' }],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] },
    Dimensions: 3,
    DistanceFunction: 'EUCLIDEAN',
  }];
  const AttributeDefinitions = [...created.AttributeDefinitions, { AttributeName: 'tenant', AttributeType: 'N' }];
  const table = { ...created, AttributeDefinitions, VectorIndexes: [{ ...VectorIndexes[0], IndexStatus: 'ACTIVE', ItemCount: 1 }] };
  const input = createInput(definitionOf(table));
  assert.deepEqual(input.VectorIndexes, VectorIndexes);
  assert.deepEqual(input.AttributeDefinitions, AttributeDefinitions);
  assert.match(cloudFormation(definitionOf(table)), / {6}VectorIndexes:\n {8}- IndexName: byMeaning\n/);
  assert.match(commandLine(definitionOf(table)), /--vector-indexes '\[\{"IndexName":"byMeaning"/);
  assert.doesNotMatch(terraform(definitionOf(table)), /tenant|byMeaning/);
  const notes = Object.fromEntries(allForms(definitionOf(table, { ttl: 'expires' }), '').map(({ label, note }) => [label, note]));
  assert.deepEqual(notes, {
    CloudFormation: '',
    Terraform: 'This output does not include the vector indexes (byMeaning).',
    'AWS CLI': '',
    JSON: 'This output does not include time to live.',
  });
  assert.deepEqual(addIndexInput(table, definition.indexes[0]).AttributeDefinitions.at(-1), AttributeDefinitions.at(-1));
});

test('CloudFormation', () => {
  assert.equal(cloudFormation({ ...emptyDefinition(), name: 'on.it', hash: [{ name: 'yes', type: 'N' }], ttl: 'a b' }),
    `Resources:
  OnIt:
    Type: "AWS::DynamoDB::Table"
    Properties:
      TableName: on.it
      AttributeDefinitions:
        - AttributeName: "yes"
          AttributeType: "N"
      KeySchema:
        - AttributeName: "yes"
          KeyType: HASH
      BillingMode: PAY_PER_REQUEST
      TimeToLiveSpecification:
        AttributeName: "a b"
        Enabled: true
`);
  assert.match(cloudFormation(definition), /StreamSpecification:\n {8}StreamViewType: NEW_IMAGE\n/);
});

test('YAML keeps texts what they are', () => {
  for (const text of ['', 'null', 'No', '1', '~', '- a', 'a: b', '#', 'a\nb', '\u2028\u0085', "'", '"', '${x}', '1e3', '.inf']) {
    const written = toYaml({ a: text }).slice(3, -1);
    assert.equal(written.startsWith('"'), true, text);
    assert.equal(JSON.parse(written), text);
    assert.match(written, /^[\x20-\x7e]*$/);
  }
});

test('Terraform', () => {
  assert.equal(terraform(definition), `resource "aws_dynamodb_table" "orders" {
  name                        = "Orders"
  billing_mode                = "PROVISIONED"
  read_capacity               = 7
  write_capacity              = 8
  hash_key                    = "customer"
  range_key                   = "placed"
  stream_enabled              = true
  stream_view_type            = "NEW_IMAGE"
  deletion_protection_enabled = true

  attribute {
    name = "customer"
    type = "S"
  }

  attribute {
    name = "placed"
    type = "N"
  }

  attribute {
    name = "status"
    type = "S"
  }

  global_secondary_index {
    name               = "byStatus"
    hash_key           = "status"
    range_key          = "placed"
    projection_type    = "INCLUDE"
    non_key_attributes = ["total"]
    read_capacity      = 1
    write_capacity     = 2
  }

  local_secondary_index {
    name            = "own"
    range_key       = "status"
    projection_type = "KEYS_ONLY"
  }

  ttl {
    attribute_name = "expires"
    enabled        = true
  }

  tags = {
    "team" = "shop $\${x} \\"y\\""
  }
}
`);
  assert.equal(hclText('%{if}${a}'), '"%%{if}$${a}"');
});

test('the AWS CLI', () => {
  const text = commandLine({ ...definition, ttl: '' }, 'http://localhost:8000');
  assert.match(text, /^aws dynamodb create-table \\\n {2}--table-name Orders \\\n {2}--attribute-definitions '\[\{/);
  assert.match(text, /--deletion-protection-enabled \\\n/);
  assert.match(text, /--endpoint-url http:\/\/localhost:8000\n$/);
  assert.match(commandLine(definition), /wait table-exists[^]*update-time-to-live/);
});

test('names for templates', () => {
  assert.equal(logicalName('my-table.v2'), 'MyTableV2');
  assert.equal(logicalName('123'), 'Table123');
  assert.equal(logicalName('___'), 'Table');
});

test('pasted templates are read as far as they need no deployment', () => {
  const keys = { AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] };
  const create = { TableName: 'A', ...keys, BillingMode: 'PAY_PER_REQUEST' };
  const read = (value) => readTemplate(typeof value === 'string' ? value : JSON.stringify(value));
  assert.deepEqual(read(create), { tables: [{ input: create, later: [] }], problem: null });
  assert.deepEqual(read([create, create]).tables.length, 2);
  const described = { Table: { ...create, TableStatus: 'ACTIVE', BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' }, ItemCount: 3, TableArn: 'arn' } };
  assert.deepEqual(read(described).tables, [{ input: { TableName: 'A', ...keys, BillingMode: 'PAY_PER_REQUEST' }, later: [] }]);
  const template = (Properties) => ({ Resources: { Orders: { Type: 'AWS::DynamoDB::Table', Properties } } });
  assert.deepEqual(read(template({
    ...keys, StreamSpecification: { StreamViewType: 'NEW_IMAGE' }, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })).tables, [{
    input: { TableName: 'Orders', ...keys, BillingMode: 'PAY_PER_REQUEST', StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } },
    later: [
      ['UpdateTimeToLive', { TableName: 'Orders', TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } }],
      ['UpdateContinuousBackups', { TableName: 'Orders', PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    ],
  }]);
  for (const [value, sentence] of [
    [template({ ...keys, TableName: { 'Fn::Sub': '${Stage}-orders' } }), /uses Fn::Sub.*--schema/],
    [{ Resources: { Bucket: { Type: 'AWS::S3::Bucket' } } }, /no resource of the type/],
    [{ Resources: { Odd: null } }, /no resource of the type/],
    ['', /reads JSON only/], ['Resources:\n  A: {}', /reads JSON only.*--schema/], ['{"a": ', /not valid JSON/], ['7', /JSON object/], ['null', /JSON object/], [{}, /no input of CreateTable/],
    [Array.from({ length: kMostTables + 1 }, () => create), /at most 100/],
  ]) {
    const { tables, problem } = read(value);
    assert.deepEqual(tables, []);
    assert.match(problem, sentence);
  }
});
