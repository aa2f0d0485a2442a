// Rules of faults: what a form says becomes the rule that is sent, and a rule a sentence.

import { durationProblem } from './durations.js';

/** What a fault can be: [kind, label]. */
export const kFaults = [
  ['error', 'Return an error'],
  ['latency', 'Add latency'],
  ['drop', 'Drop the connection'],
  ['unprocessed', 'Leave part of a batch unprocessed'],
  ['truncate', 'Truncate the response'],
];

export const kErrors = [
  'ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded',
  'TransactionConflictException', 'TransactionCanceledException', 'InternalServerError', 'ServiceUnavailable',
];

const kWrites = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

/** What a form begins with; all members are texts. */
export const kEmptyForm = {
  fault: 'error', error: kErrors[0], message: '', reasons: '', status: '',
  shape: 'fixed', latency: '250ms', min: '50ms', max: '500ms', p50: '20ms', p99: '500ms',
  drop: 'after', fraction: '0.5', operations: '', table: '', index: '', keyName: 'pk', keyPattern: '',
  accessKey: '', probability: '', seed: '', skip: '', count: '', for: '',
};

/** Forms that are wanted often. */
export const kPresets = [
  ['Throttle all writes', {
    fault: 'error', error: 'ProvisionedThroughputExceededException', operations: kWrites.join(', '),
  }],
  ['Throttle 10 % of requests', { fault: 'error', error: 'ThrottlingException', probability: '0.1', seed: '1' }],
  ['Add 250 ms', { fault: 'latency', shape: 'fixed', latency: '250ms' }],
  ['Write, then drop the connection', { fault: 'drop', drop: 'after', operations: kWrites.join(', '), count: '1' }],
  ['Leave half of each batch unprocessed', {
    fault: 'unprocessed', fraction: '0.5', operations: 'BatchWriteItem, BatchGetItem',
  }],
  ['One transaction conflict', { fault: 'error', error: 'TransactionConflictException', count: '1' }],
];

class Problem extends Error {
  constructor(member, message) {
    super(message);
    this.member = member;
  }
}

function duration(form, member) {
  const problem = durationProblem(form[member]);
  if (problem) throw new Problem(member, problem);
  return form[member].trim();
}

function fraction(form, member) {
  const value = Number(form[member]);
  const isFraction = form[member].trim() !== '' && value >= 0 && value <= 1;
  if (!isFraction) throw new Problem(member, 'Enter a number from 0 to 1.');
  return value;
}

function whole(form, member) {
  if (!/^\d{1,15}$/.test(form[member].trim())) throw new Problem(member, 'Enter a whole number, 0 or more.');
  return Number(form[member]);
}

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

function errorOf(form) {
  const fault = { error: form.error.trim() };
  if (fault.error === '') throw new Problem('error', 'Enter the name of an error.');
  if (form.message) fault.message = form.message;
  if (form.reasons.trim()) fault.reasons = words(form.reasons);
  if (form.status.trim()) fault.status = whole(form, 'status');
  return fault;
}

function latencyOf(form) {
  if (form.shape === 'range') return { latency: { min: duration(form, 'min'), max: duration(form, 'max') } };
  if (form.shape === 'percentiles') return { latency: { p50: duration(form, 'p50'), p99: duration(form, 'p99') } };
  return { latency: duration(form, 'latency') };
}

function faultOf(form) {
  switch (form.fault) {
    case 'error': return errorOf(form);
    case 'latency': return latencyOf(form);
    case 'drop': return { drop: form.drop };
    default: return { [form.fault]: fraction(form, 'fraction') };
  }
}

/** {rule, problem}: problem is null or {member, message}. */
export function ruleOf(form) {
  try {
    const rule = {};
    if (form.operations.trim()) rule.operations = words(form.operations);
    if (form.table) rule.table = form.table;
    if (form.index.trim()) rule.index = form.index.trim();
    if (form.keyPattern !== '') rule.key = { [form.keyName.trim() || 'pk']: form.keyPattern };
    if (form.accessKey.trim()) rule.access_key = form.accessKey.trim();
    if (form.probability.trim()) rule.probability = fraction(form, 'probability');
    for (const member of ['seed', 'skip', 'count']) if (form[member].trim()) rule[member] = whole(form, member);
    if (form.for.trim()) rule.for = duration(form, 'for');
    rule.fault = faultOf(form);
    return { rule, problem: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { rule: null, problem: { member: error.member, message: error.message } };
  }
}

function latencyText(latency) {
  if (typeof latency === 'string') return `is delayed by ${latency}`;
  if (latency.min !== undefined) return `is delayed by ${latency.min} to ${latency.max}`;
  return `is delayed by ${latency.p50} (p50) to ${latency.p99} (p99)`;
}

const percent = (part) => `${Number((part * 100).toPrecision(6))} %`;

function faultText({ error, latency, drop, unprocessed, truncate }) {
  if (error !== undefined) return `fails with ${error}`;
  if (latency !== undefined) return latencyText(latency);
  if (drop === 'before') return 'loses its connection before it runs';
  if (drop !== undefined) return 'runs, but loses its connection before the response';
  if (unprocessed !== undefined) return `leaves ${percent(unprocessed)} of its batch unprocessed`;
  return truncate !== undefined ? `gets a response with ${percent(truncate)} cut off` : 'fails';
}

function listText(list) {
  return list.length > 3 ? `${list.slice(0, 2).join(', ')} or ${list.length - 2} others` : list.join(' or ');
}

/** "GetItem on Orders fails with ThrottlingException, 10 % of the time, at most 3 times." */
export function sentenceOf(rule) {
  const { operations, table, index, key, access_key: caller, probability, skip, count, for: time, fault } = rule;
  const which = operations?.length > 0 ? listText(operations) : 'Every request';
  const where = [
    index && `through ${index}`, table && `on ${table}`,
    key && `with ${Object.entries(key).map(([name, pattern]) => `${name} like ${pattern}`).join(' and ')}`,
    caller && `by ${caller}`,
  ].filter(Boolean).join(' ');
  const when = [
    probability !== undefined && probability < 1 && `${percent(probability)} of the time`,
    skip > 0 && `after the first ${skip}`, count !== undefined && (count === 1 ? 'once' : `at most ${count} times`),
    time && `for ${time}`,
  ].filter(Boolean).join(', ');
  return `${[which, where, faultText(fault ?? {})].filter(Boolean).join(' ')}${when ? `, ${when}` : ''}.`;
}
