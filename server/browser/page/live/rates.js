// What two readings of GET /_/statistics, one after the other, say of the time between them, and one of all
// the time since the server's start.
// Counters only grow; when one is smaller than before, the server was started anew.

const growth = (now, before) => (now >= before ? now - before : now);

function errorsOf(operation) {
  return Object.values(operation.errors ?? {}).reduce((sum, count) => sum + count, 0);
}

/** Whether each count has those of the smaller bounds in it, as Prometheus's do. */
function areSums(buckets, calls) {
  return buckets.every(([, count], at) => at === 0 || count >= buckets[at - 1][1])
    && buckets.reduce((sum, [, count]) => sum + count, 0) > calls;
}

/** [le_seconds, count] with the counts of each bucket alone. */
function alone(buckets, calls) {
  if (!areSums(buckets, calls)) return buckets;
  return buckets.map(([bound, count], at) => [bound, count - (at > 0 ? buckets[at - 1][1] : 0)]);
}

/** What came into each bucket between two readings of an operation. */
export function bucketGrowth(now, before) {
  const old = new Map(alone(before?.buckets ?? [], before?.calls ?? 0));
  return alone(now.buckets ?? [], now.calls).map(([bound, count]) => [bound, growth(count, old.get(bound) ?? 0)]);
}

/** Adds bucket counts of several operations, which have the same bounds. */
export function addBuckets(lists) {
  const sums = new Map();
  for (const list of lists) for (const [bound, count] of list) sums.set(bound, (sums.get(bound) ?? 0) + count);
  const limit = (bound) => (typeof bound === 'number' ? bound : Infinity);
  return [...sums].sort(([a], [b]) => limit(a) - limit(b));
}

/** The duration in seconds that a share of the calls kept within; null without calls. */
export function quantile(buckets, share) {
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let seen = 0;
  let lower = 0;
  for (const [bound, count] of buckets) {
    const upper = typeof bound === 'number' ? bound : lower;
    if (count > 0 && seen + count >= wanted) return lower + (upper - lower) * ((wanted - seen) / count);
    seen += count;
    lower = upper;
  }
  return lower;
}

/**
 * {at, seconds, operations: [{name, perSecond, errorsPerSecond, mean, p50, p99}], callsPerSecond,
 * errorsPerSecond, p50, p99, readThrottlesPerSecond, writeThrottlesPerSecond, conflictsPerSecond,
 * memory, memoryLimit, connections}; null when no time lies between.
 */
export function between(before, now) {
  const seconds = (Date.parse(now.at) - Date.parse(before.at)) / 1000;
  if (!(seconds > 0)) return null;
  const operations = Object.entries(now.operations ?? {})
    .map(([name, counts]) => operationBetween(name, counts, before.operations?.[name], seconds));
  const sum = (member) => operations.reduce((total, operation) => total + operation[member], 0);
  const all = addBuckets(operations.map(({ buckets }) => buckets));
  const perSecond = (reading) => growth(reading(now) ?? 0, reading(before) ?? 0) / seconds;
  return {
    at: Date.parse(now.at),
    seconds,
    operations,
    callsPerSecond: sum('perSecond'),
    errorsPerSecond: sum('errorsPerSecond'),
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    readThrottlesPerSecond: perSecond(({ throttled }) => throttled?.reads),
    writeThrottlesPerSecond: perSecond(({ throttled }) => throttled?.writes),
    conflictsPerSecond: perSecond((reading) => reading.transaction_conflicts),
    memory: now.memory?.resident_bytes ?? 0,
    memoryLimit: now.memory?.limit_bytes ?? null,
    connections: now.connections ?? 0,
  };
}

/**
 * What one reading says of the time since the server's start, `seconds` ago: {calls, errors, callsPerSecond, mean, p50,
 * p99, readThrottles, writeThrottles, conflicts, operations: [{name, calls, errors, mean, p50, p99}]}. Durations are in
 * seconds, null without calls.
 */
export function sinceStart(now, seconds) {
  const operations = Object.entries(now.operations ?? {}).map(([name, counts]) => ({
    name,
    calls: counts.calls,
    errors: errorsOf(counts),
    buckets: alone(counts.buckets ?? [], counts.calls),
    spent: counts.seconds_sum ?? 0,
  }));
  const sum = (member) => operations.reduce((total, operation) => total + operation[member], 0);
  const times = ({ calls, spent, buckets }) => ({
    mean: calls > 0 ? spent / calls : null, p50: quantile(buckets, 0.5), p99: quantile(buckets, 0.99),
  });
  const buckets = addBuckets(operations.map((operation) => operation.buckets));
  const all = { calls: sum('calls'), spent: sum('spent'), buckets };
  return {
    calls: all.calls,
    errors: sum('errors'),
    callsPerSecond: seconds > 0 ? all.calls / seconds : null,
    ...times(all),
    readThrottles: now.throttled?.reads ?? 0,
    writeThrottles: now.throttled?.writes ?? 0,
    conflicts: now.transaction_conflicts ?? 0,
    operations: operations.map((operation) => (
      { name: operation.name, calls: operation.calls, errors: operation.errors, ...times(operation) })),
  };
}

function operationBetween(name, now, before, seconds) {
  const calls = growth(now.calls, before?.calls ?? 0);
  const spent = growth(now.seconds_sum ?? 0, before?.seconds_sum ?? 0);
  const buckets = bucketGrowth(now, before);
  return {
    name,
    buckets,
    perSecond: calls / seconds,
    errorsPerSecond: growth(errorsOf(now), before ? errorsOf(before) : 0) / seconds,
    mean: calls > 0 ? spent / calls : null,
    p50: quantile(buckets, 0.5),
    p99: quantile(buckets, 0.99),
  };
}
