// What the room of test controls knows without a page: durations, rules of faults, bodies of requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { consistencyOf, creationOf, stepsTo } from '../../../server/browser/page/settings/setting_requests.js';
import { durationProblem, readDuration, writeDuration } from '../../../server/browser/page/settings/durations.js';
import { kEmptyForm, kPresets, ruleOf, sentenceOf } from '../../../server/browser/page/settings/fault_rule.js';

const rule = (form) => ruleOf({ ...kEmptyForm, ...form }).rule;
const problem = (form) => ruleOf({ ...kEmptyForm, ...form }).problem?.member;

test('durations are read and written', () => {
  for (const [text, milliseconds] of [['250ms', 250], ['10s', 10_000], ['1h30m', 5_400_000], ['7d', 604_800_000], ['1.5s', 1500]]) {
    assert.equal(readDuration(text), milliseconds);
  }
  for (const text of ['250ms', '10s', '1h30m', '7d', '1d1h1m1s1ms', '-2m']) assert.equal(writeDuration(readDuration(text)), text);
  for (const text of ['', '5', 's', '1 h', '1x', '1h 30m', '٣s', '1e3s', '1h-1m']) assert.equal(readDuration(text), null, text);
  assert.equal(writeDuration(0), '0s');
  assert.equal(durationProblem('1m'), null);
  assert.match(durationProblem('-1m'), /negative/);
  assert.match(durationProblem('soon'), /For example/);
});

test('a form becomes the rule that it says, and no more', () => {
  assert.deepEqual(rule({}), { fault: { error: 'ProvisionedThroughputExceededException' } });
  assert.deepEqual(rule({
    operations: 'PutItem,  GetItem', table: 'Orders', index: ' byDate ', keyName: 'id', keyPattern: 'user#*', accessKey: 'me',
    probability: '0.25', seed: '7', skip: '2', count: '3', for: '10s', error: 'TransactionCanceledException', reasons: 'None, ConditionalCheckFailed',
    message: 'no', status: '400',
  }), {
    operations: ['PutItem', 'GetItem'], table: 'Orders', index: 'byDate', key: { id: 'user#*' }, access_key: 'me', probability: 0.25,
    seed: 7, skip: 2, count: 3, for: '10s',
    fault: { error: 'TransactionCanceledException', message: 'no', reasons: ['None', 'ConditionalCheckFailed'], status: 400 },
  });
  assert.deepEqual(rule({ fault: 'latency', shape: 'fixed', latency: '1s' }).fault, { latency: '1s' });
  assert.deepEqual(rule({ fault: 'latency', shape: 'range', min: '1ms', max: '2ms' }).fault, { latency: { min: '1ms', max: '2ms' } });
  assert.deepEqual(rule({ fault: 'latency', shape: 'percentiles' }).fault, { latency: { p50: '20ms', p99: '500ms' } });
  assert.deepEqual(rule({ fault: 'drop', drop: 'before' }).fault, { drop: 'before' });
  assert.deepEqual(rule({ fault: 'unprocessed', fraction: '0.5' }).fault, { unprocessed: 0.5 });
  assert.deepEqual(rule({ fault: 'truncate', fraction: '1' }).fault, { truncate: 1 });
});

test('what is wrong in a form is named by its member', () => {
  assert.equal(problem({ error: ' ' }), 'error');
  assert.equal(problem({ probability: '1.1' }), 'probability');
  assert.equal(problem({ probability: 'often' }), 'probability');
  assert.equal(problem({ count: '-1' }), 'count');
  assert.equal(problem({ seed: '1.5' }), 'seed');
  assert.equal(problem({ for: 'ever' }), 'for');
  assert.equal(problem({ fault: 'latency', latency: '10' }), 'latency');
  assert.equal(problem({ fault: 'truncate', fraction: '' }), 'fraction');
});

test('rules read as sentences', () => {
  assert.equal(sentenceOf(rule({})), 'Every request fails with ProvisionedThroughputExceededException.');
  assert.equal(
    sentenceOf(rule({ operations: 'GetItem', table: 'Orders', keyName: 'id', keyPattern: 'a*', fault: 'latency', latency: '1s', count: '3', probability: '0.1', for: '1m' })),
    'GetItem on Orders with id like a* is delayed by 1s, 10 % of the time, at most 3 times, for 1m.',
  );
  assert.equal(sentenceOf({}), 'Every request fails.');
  for (const [, form] of kPresets) assert.match(sentenceOf(rule(form)), /^[A-Z].*\.$/);
});

test('what is held stays held when another control is changed', () => {
  const state = { index_lag: 'held', replication_lag: null, read_staleness: { held: true, probability: 0, seed: 0, versions: 1000, behind: 2 } };
  assert.deepEqual(stepsTo(state, { index_lag: 'held', read_staleness: 'held', replication_lag: '2s' }), { takesBack: false, body: { replication_lag: '2s' } });
  assert.deepEqual(stepsTo(state, { index_lag: 'held', read_staleness: 'held' }), { takesBack: false, body: {} });
  assert.deepEqual(stepsTo(state, { index_lag: '3s', read_staleness: 'held' }), { takesBack: false, body: { index_lag: '3s' } });
  assert.deepEqual(stepsTo(state, { index_lag: 'held' }), { takesBack: true, body: { index_lag: 'held' } });
  const undelayed = { ...state, ttl_delay: '0' };
  assert.deepEqual(stepsTo(undelayed, { index_lag: 'held' }), { takesBack: true, body: { index_lag: 'held', ttl_delay: '0' } });
  assert.deepEqual(stepsTo(undelayed, { index_lag: '3s', read_staleness: 'held' }), { takesBack: false, body: { index_lag: '3s' } });
  assert.deepEqual(stepsTo(undelayed, { ttl_delay: '0', index_lag: 'held', read_staleness: 'held' }), { takesBack: false, body: {} });
  assert.deepEqual(stepsTo(undelayed, { ttl_delay: '5s', index_lag: 'held', read_staleness: 'held' }), { takesBack: false, body: { ttl_delay: '5s' } });
  assert.deepEqual(stepsTo(undelayed, { ttl_delay: '5s' }), { takesBack: true, body: { ttl_delay: '5s' } });
  const flagged = { index_lag: '0', replication_lag: '0', read_staleness: null };
  assert.deepEqual(stepsTo(flagged, {}), { takesBack: false, body: {} });
  assert.deepEqual(stepsTo(flagged, { replication_lag: 'held' }), { takesBack: false, body: { replication_lag: 'held' } });
});

test('forms of consistency and of namespaces become bodies', () => {
  const numbers = { lagBy: '2s', probability: '0.5', seed: '3', versions: '2' };
  assert.deepEqual(consistencyOf({ lag: '', reads: '', ...numbers }).body, {});
  assert.deepEqual(consistencyOf({ lag: 'by', reads: 'chance', ...numbers }).body, {
    index_lag: '2s', read_staleness: { probability: 0.5, seed: 3, versions: 2 },
  });
  assert.deepEqual(consistencyOf({ lag: 'held', reads: 'held', ...numbers }).body, { index_lag: 'held', read_staleness: 'held' });
  assert.equal(consistencyOf({ lag: 'by', reads: '', ...numbers, lagBy: 'x' }).problem.member, 'lagBy');
  assert.equal(consistencyOf({ lag: '', reads: 'chance', ...numbers, probability: '2' }).problem.member, 'probability');
  const replicas = { lag: '', reads: '', ...numbers, replicasBy: '1m' };
  assert.deepEqual(consistencyOf({ ...replicas, replicas: 'by' }).body, { replication_lag: '1m' });
  assert.deepEqual(consistencyOf({ ...replicas, replicas: 'held', lag: 'by' }).body, { index_lag: '2s', replication_lag: 'held' });
  assert.deepEqual(consistencyOf({ ...replicas, replicas: '' }).body, {});
  assert.equal(consistencyOf({ ...replicas, replicas: 'by', replicasBy: '-1s' }).problem.member, 'replicasBy');
  assert.deepEqual(consistencyOf({ lag: '', reads: '', ...numbers, ttlDelay: ' 1h ' }).body, { ttl_delay: '1h' });
  assert.deepEqual(consistencyOf({ lag: '', reads: '', ...numbers, ttlDelay: '0' }).body, { ttl_delay: '0' });
  for (const text of ['soon', '-1s', '10']) assert.equal(consistencyOf({ lag: '', reads: '', ...numbers, ttlDelay: text }).problem.member, 'ttlDelay');
  const empty = { name: '', from: '', port: '', portNumber: '', expires: '' };
  assert.deepEqual(creationOf(empty).body, {});
  assert.deepEqual(creationOf({ name: ' a ', from: 'snapshot:s:1', port: 'any', portNumber: '', expires: '1h' }).body, {
    name: 'a', from: { snapshot: 's:1' }, port: true, expires_after: '1h',
  });
  assert.deepEqual(creationOf({ ...empty, port: 'number', portNumber: '8001' }).body, { port: 8001 });
  assert.equal(creationOf({ ...empty, port: 'number', portNumber: '70000' }).problem.member, 'portNumber');
  assert.equal(creationOf({ ...empty, expires: 'late' }).problem.member, 'expires');
});
