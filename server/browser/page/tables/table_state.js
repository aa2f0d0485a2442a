// What is known of one table, from several answers.

import { call } from '../client.js';
import { catalog } from '../catalog.js';
import { allIndexes, definitionOf } from './definition.js';

const kPoll = 400; // milliseconds

async function allTags(arn, options) {
  const tags = [];
  let next;
  do {
    const input = { ResourceArn: arn, ...(next ? { NextToken: next } : {}) };
    const { output } = await call('ListTagsOfResource', input, options);
    if (!output) return tags;
    tags.push(...output.Tags);
    next = output.NextToken;
  } while (next);
  return tags;
}

function policyOf({ output, error }) {
  if (output) return 'yes';
  return error.type === 'PolicyNotFoundException' ? 'none' : 'unknown';
}

// -> {table, tags, ttl: {status, attribute}, recovery: {status, days} | null, policy: 'yes' | 'none' |
// 'unknown', error}. What the server does not tell is empty.
export async function loadTable(name, { signal } = {}) {
  const options = { signal };
  const { table, error } = await catalog.describe(name, { fresh: true, signal });
  if (error) return { error };
  const [tags, ttl, backups, policy] = await Promise.all([
    allTags(table.TableArn, options),
    call('DescribeTimeToLive', { TableName: name }, options),
    call('DescribeContinuousBackups', { TableName: name }, options),
    call('GetResourcePolicy', { ResourceArn: table.TableArn }, options),
  ]);
  const described = ttl.output?.TimeToLiveDescription ?? {};
  const recovery = backups.output?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  return {
    table,
    tags,
    ttl: { status: described.TimeToLiveStatus ?? 'DISABLED', attribute: described.AttributeName ?? '' },
    recovery: recovery ? {
      status: recovery.PointInTimeRecoveryStatus, days: recovery.RecoveryPeriodInDays,
    } : null,
    policy: policyOf(policy),
    error: null,
  };
}

export function definitionOfState({ table, tags, ttl, recovery, policy }) {
  return definitionOf(table, {
    tags,
    ttl: ttl.status.startsWith('ENABL') ? ttl.attribute : '',
    recovers: recovery?.status === 'ENABLED',
    hasPolicy: policy === 'yes',
  });
}

export function isSettled(table) {
  return table.TableStatus === 'ACTIVE'
    && allIndexes(table).every(({ IndexStatus: status = 'ACTIVE' }) => status === 'ACTIVE');
}

// Calls CreateTable with `input`, then the calls [operation, input] of `later` when the table is active.
// -> {error: of the call that failed, or null; isMade: the table exists}
export async function createTable(input, later) {
  const { error } = await call('CreateTable', input);
  if (error) return { error, isMade: false };
  if (later.length > 0) await waitUntilActive(input.TableName);
  for (const [operation, each] of later) {
    const { error: problem } = await call(operation, each);
    if (problem) return { error: problem, isMade: true };
  }
  return { error: null, isMade: true };
}

export async function waitUntilActive(name, { signal } = {}) {
  for (;;) {
    const { table, error } = await catalog.describe(name, { fresh: true, signal });
    if (error || isSettled(table)) return;
    await new Promise((resolve) => { setTimeout(resolve, kPoll); });
    signal?.throwIfAborted();
  }
}
