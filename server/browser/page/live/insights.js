// What the report of contributor insights says: whose counts they are, which items a key has (pure).

import { emptyChoice } from '../query/builder.js';
import { contentOf } from '../values/types.js';

export const kAllKeys = 'ACCESSED_AND_THROTTLED_KEYS';
export const kThrottledKeys = 'THROTTLED_KEYS';

/** What can have insights: the table and its global indexes, as sources of tableModel(). */
export const countedSources = (model) => model.sources.filter(({ kind }) => kind !== 'local');

/**
 * The name in a report of the tables that a caller sees; undefined where all callers share theirs.
 * `isolation`: as GET /_/status tells it.
 */
export function databaseOf(isolation, { credentials, region }) {
  if (isolation === 'credentials') return `${credentials.accessKeyId}/${region}`;
  return isolation === 'region' ? region : undefined;
}

/** The parts of a report that are of this table and database, by index; the table's is ''. */
export function ownParts(report, table, database) {
  return new Map(report.insights.filter((each) => each.table === table && each.database === database)
    .map((each) => [each.index ?? '', each]));
}

/** A key was used at most `count` times, and at most `error` times less. */
export function countText({ count, error }, write = String) {
  return error > 0 ? `at least ${write(count - error)}, at most ${write(count)}` : write(count);
}

/** For the room of items: those that have a key, a partition key alone or a whole one. */
export function choiceOf(source, key) {
  const given = (attributes) => attributes.filter(({ name }) => Object.hasOwn(key, name))
    .map(({ name }) => contentOf(key[name]));
  return {
    ...emptyChoice(source.name),
    partition: given(source.partition),
    sort: given(source.sort).map((value) => ({ operator: '=', value })),
  };
}
