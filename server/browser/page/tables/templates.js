// A definition (definition.js) as text for other tools: pure.

import { kebab, option, shellWord } from '../code/cli.js';
import { createInput, laterCalls } from './definition.js';

// A name for templates: "my-table.v2" -> "MyTableV2".
export function logicalName(name) {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const joined = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `Table${joined}`;
}

// JSON's form of a string is one of YAML too; plain words stand without quotes.
function yamlText(text) {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function yamlLines(value, indent) {
  const blanks = ' '.repeat(indent);
  const entry = (head, content) => {
    if (typeof content === 'string') return [`${blanks}${head} ${yamlText(content)}`];
    if (typeof content !== 'object') return [`${blanks}${head} ${content}`];
    return null;
  };
  if (Array.isArray(value)) {
    return value.flatMap((element) => entry('-', element) ?? yamlLines(element, indent + 2)
      .map((line, index) => (index === 0 ? `${blanks}- ${line.trimStart()}` : line)));
  }
  return Object.entries(value).flatMap(([key, content]) => entry(`${key}:`, content)
    ?? [`${blanks}${key}:`, ...yamlLines(content, indent + 2)]);
}

export function toYaml(value) {
  return `${yamlLines(value, 0).join('\n')}\n`;
}

// AWS::DynamoDB::Table
export function cloudFormation(definition) {
  const { StreamSpecification, ...Properties } = createInput(definition);
  if (StreamSpecification) {
    Properties.StreamSpecification = { StreamViewType: StreamSpecification.StreamViewType };
  }
  if (definition.ttl) {
    Properties.TimeToLiveSpecification = { AttributeName: definition.ttl, Enabled: true };
  }
  if (definition.recovers) {
    Properties.PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  }
  return toYaml({
    Resources: { [logicalName(definition.name)]: { Type: 'AWS::DynamoDB::Table', Properties } },
  });
}

// A string of HCL: "${" and "%{" would begin a template.
export function hclText(text) {
  return JSON.stringify(text).replace(/\$\{/g, '$$${').replace(/%\{/g, '%%{');
}

function hclBlock(head, entries, indent = 2) {
  const blanks = ' '.repeat(indent);
  const plain = entries.filter(([, value]) => typeof value === 'string');
  const width = Math.max(0, ...plain.map(([name]) => name.length));
  const lines = entries.flatMap(([name, value]) => (typeof value === 'string'
    ? [`${blanks}${name.padEnd(width)} = ${value}`]
    : ['', ...hclBlock(name, value, indent + 2)]));
  const outer = ' '.repeat(indent - 2);
  return [`${outer}${head} {`, ...lines, `${outer}}`];
}

const hclList = (texts) => `[${texts.map(hclText).join(', ')}]`;

// One key is hash_key and range_key; more of them are key_schema blocks.
function hclKeys({ hash, range }) {
  if (hash.length > 1 || range.length > 1) {
    const block = (type) => ({ name }) => (
      ['key_schema', [['attribute_name', hclText(name)], ['key_type', hclText(type)]]]);
    return [...hash.map(block('HASH')), ...range.map(block('RANGE'))];
  }
  return [
    ...hash.map(({ name }) => ['hash_key', hclText(name)]),
    ...range.map(({ name }) => ['range_key', hclText(name)]),
  ];
}

function hclLimits(limits) {
  const names = {
    MaxReadRequestUnits: 'max_read_request_units', MaxWriteRequestUnits: 'max_write_request_units',
  };
  return ['on_demand_throughput', Object.entries(limits).map(([member, units]) => [names[member], String(units)])];
}

function hclIndex(index, billing) {
  const keys = index.isGlobal ? hclKeys(index) : [['range_key', hclText(index.range[0]?.name ?? '')]];
  const flat = keys.filter(([, value]) => typeof value === 'string');
  const blocks = keys.filter(([, value]) => typeof value !== 'string');
  const entries = [['name', hclText(index.name)], ...flat, ['projection_type', hclText(index.projection)]];
  if (index.projection === 'INCLUDE') entries.push(['non_key_attributes', hclList(index.attributes)]);
  if (index.isGlobal && billing === 'PROVISIONED') {
    entries.push(['read_capacity', String(index.read)], ['write_capacity', String(index.write)]);
  }
  if (index.mostOnDemand && billing !== 'PROVISIONED') blocks.push(hclLimits(index.mostOnDemand));
  return [index.isGlobal ? 'global_secondary_index' : 'local_secondary_index', [...entries, ...blocks]];
}

// aws_dynamodb_table
export function terraform(definition) {
  const { billing } = definition;
  const entries = [['name', hclText(definition.name)], ['billing_mode', hclText(billing)]];
  if (billing === 'PROVISIONED') {
    entries.push(['read_capacity', String(definition.read)], ['write_capacity', String(definition.write)]);
  }
  entries.push(...hclKeys(definition));
  if (definition.stream) {
    entries.push(['stream_enabled', 'true'], ['stream_view_type', hclText(definition.stream)]);
  }
  if (definition.tableClass !== 'STANDARD') entries.push(['table_class', hclText(definition.tableClass)]);
  if (definition.isProtected) entries.push(['deletion_protection_enabled', 'true']);
  for (const { AttributeName, AttributeType } of createInput({ ...definition, others: [] }).AttributeDefinitions) {
    entries.push(['attribute', [['name', hclText(AttributeName)], ['type', hclText(AttributeType)]]]);
  }
  entries.push(...definition.indexes.map((index) => hclIndex(index, billing)));
  if (definition.mostOnDemand && billing !== 'PROVISIONED') entries.push(hclLimits(definition.mostOnDemand));
  if (definition.recovers) entries.push(['point_in_time_recovery', [['enabled', 'true']]]);
  if (definition.ttl) entries.push(['ttl', [['attribute_name', hclText(definition.ttl)], ['enabled', 'true']]]);
  if (definition.tags.length > 0) {
    entries.push(['tags =', definition.tags.map(([key, value]) => [hclText(key), hclText(value)])]);
  }
  const name = logicalName(definition.name).replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  return `${hclBlock(`resource "aws_dynamodb_table" "${name}"`, entries).join('\n')}\n`;
}

function cliCommand(command, input, endpoint) {
  const options = Object.entries(input).map(([name, value]) => option(name, value));
  if (endpoint) options.push(`--endpoint-url ${shellWord(endpoint)}`);
  return `aws dynamodb ${command} \\\n  ${options.join(' \\\n  ')}\n`;
}

// The AWS CLI's commands, with the address of this server unless it is empty.
export function commandLine(definition, endpoint = '') {
  const commands = [cliCommand('create-table', createInput(definition), endpoint)];
  const later = laterCalls(definition);
  if (later.length > 0) commands.push(cliCommand('wait table-exists', { TableName: definition.name }, endpoint));
  commands.push(...later.map(([operation, input]) => cliCommand(kebab(operation), input, endpoint)));
  return commands.join('\n');
}

function json(definition) {
  return `${JSON.stringify(createInput(definition), null, 2)}\n`;
}

// What of a table a form does not have, as a sentence; empty: nothing.
function leftOut({ besides }, ...more) {
  const all = [...besides, ...more.filter(Boolean)];
  return all.length > 0 ? `This output does not include ${all.join(', ')}.` : '';
}

// For codeTabs().
export function allForms(definition, endpoint) {
  const namesOf = (kind) => definition.others.filter((each) => each.kind === kind).map(({ name }) => name).join(', ');
  const others = [...new Set(definition.others.map(({ kind }) => kind))]
    .map((kind) => `the ${kind.toLowerCase()} indexes (${namesOf(kind)})`);
  return [
    { label: 'CloudFormation', text: () => cloudFormation(definition), note: leftOut(definition) },
    {
      label: 'Terraform',
      text: () => terraform(definition),
      note: leftOut(definition, ...others),
    },
    { label: 'AWS CLI', text: () => commandLine(definition, endpoint), note: leftOut(definition) },
    {
      label: 'JSON',
      text: () => json(definition),
      note: leftOut(definition, definition.ttl && 'time to live', definition.recovers && 'point-in-time recovery'),
    },
  ];
}
