// A pasted template as the requests that make its tables: CreateTable's JSON, what DescribeTable and
// the AWS CLI print, or a CloudFormation template in JSON. Pure.

import { createInput, definitionOf, laterCalls, ttlInput } from './definition.js';

const kTableType = 'AWS::DynamoDB::Table';
const kServer = 'Start Magneto with --schema FILE instead: '
  + 'it reads CloudFormation, SAM, serverless.yml and Terraform plans.';
export const kMostTables = 100;

/** Why a text is no template that can be read here, as sentences. */
class Unreadable extends Error {}

// Functions of CloudFormation are objects of one member: {"Ref": ...}, {"Fn::Sub": ...}.
function findFunction(value) {
  if (typeof value !== 'object' || value === null) return null;
  const names = Object.keys(value);
  if (names.length === 1 && /^(Ref|Condition|Fn::\w+)$/.test(names[0])) return names[0];
  for (const name of names) {
    const found = findFunction(value[name]);
    if (found) return found;
  }
  return null;
}

/** A table of CloudFormation: {input, later}. */
function fromResource(logicalId, { Properties = {} }) {
  const found = findFunction(Properties);
  if (found) {
    throw new Unreadable(`The table ${logicalId} uses ${found}, which needs the values of a deployment. ${kServer}`);
  }
  const {
    TableName = logicalId, StreamSpecification: stream, TimeToLiveSpecification: ttl,
    PointInTimeRecoverySpecification: recovery, ...plain
  } = Properties;
  const input = { TableName, ...plain };
  if (!input.BillingMode && !input.ProvisionedThroughput) input.BillingMode = 'PAY_PER_REQUEST';
  if (stream) input.StreamSpecification = { StreamEnabled: true, StreamViewType: stream.StreamViewType };
  const later = [];
  if (ttl?.Enabled) later.push(['UpdateTimeToLive', ttlInput(TableName, ttl.AttributeName)]);
  if (recovery?.PointInTimeRecoveryEnabled) {
    later.push(...laterCalls({ name: TableName, ttl: '', recovers: true }));
  }
  return { input, later };
}

function fromCloudFormation({ Resources }) {
  const tables = Object.entries(Resources).filter(([, resource]) => resource?.Type === kTableType);
  if (tables.length === 0) throw new Unreadable(`The template has no resource of the type ${kTableType}.`);
  return tables.map(([logicalId, resource]) => fromResource(logicalId, resource));
}

// What DescribeTable prints has members that CreateTable does not take.
function fromDescription(table) {
  return { input: createInput(definitionOf(table)), later: [] };
}

function fromObject(object) {
  if (Array.isArray(object)) return object.flatMap(fromObject);
  if (typeof object !== 'object' || object === null) throw new Unreadable('A template is a JSON object.');
  if (object.Resources) return fromCloudFormation(object);
  const table = object.Table ?? object.TableDescription ?? object;
  if (table.TableStatus && table.KeySchema && table.AttributeDefinitions) return [fromDescription(table)];
  if (table.TableName && table.KeySchema) return [{ input: table, later: [] }];
  throw new Unreadable('The JSON is no input of CreateTable, output of DescribeTable or CloudFormation template.');
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*[{[]/.test(text)) throw new Unreadable(`The text is not valid JSON: ${error.message}.`);
    throw new Unreadable(`This page reads JSON only. ${kServer}`);
  }
}

/**
 * {tables: [{input, later}], problem}: what CreateTable takes for each table, and the calls behind it,
 * [operation, input] each; `problem` is null or sentences that say what is wrong.
 */
export function readTemplate(text) {
  try {
    const tables = fromObject(parseJson(text));
    if (tables.length > kMostTables) {
      throw new Unreadable(`The template has ${tables.length} tables. The page creates at most ${kMostTables}.`);
    }
    return { tables, problem: null };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { tables: [], problem: error.message };
  }
}
