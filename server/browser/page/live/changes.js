// Changes of items, as records of a stream tell them.

import { preview, visible } from '../values/preview.js';
import { sameValue } from '../values/types.js';

export const kKinds = { INSERT: 'New', MODIFY: 'Changed', REMOVE: 'Deleted' };
const kNamesShown = 4;
// A record at rest in JavaScript, beside its texts.
const kBytesOfARecord = 400;

/** About what a record takes in memory, in bytes. */
export function recordBytes({ dynamodb }) {
  return kBytesOfARecord + 4 * Number(dynamodb.SizeBytes ?? 0);
}

export function changeOf(record, shard) {
  const { dynamodb: data, eventName: kind, eventID: id, userIdentity: identity } = record;
  return {
    id,
    kind,
    shard,
    at: Number(data.ApproximateCreationDateTime),  // seconds since 1970
    sequence: data.SequenceNumber,
    keys: data.Keys ?? {},
    before: data.OldImage,
    after: data.NewImage,
    view: data.StreamViewType,
    bytes: data.SizeBytes,
    byTimeToLive: identity?.type === 'Service' || identity?.Type === 'Service',
  };
}

/** "pk = user#1, sk = 7", the text of a key. */
export function keyText(keys, limit = 80) {
  return Object.entries(keys).map(([name, value]) => `${visible(name)} = ${preview(value, limit)}`).join(', ');
}

/** The values of a key alone, for a list. */
export function keyValues(keys, limit = 40) {
  return Object.values(keys).map((value) => preview(value, limit)).join(' · ');
}

/** Sequence numbers are digits of any length. */
export function inOrder(a, b) {
  const [one, other] = [a.sequence, b.sequence];
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** Names of the attributes that differ, of the first level; null when the stream has not both images. */
export function changedNames({ kind, before, after }) {
  if (kind !== 'MODIFY' || !before || !after) return null;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = (image, name) => (Object.hasOwn(image, name) ? image[name] : undefined);
  const differs = (name) => {
    const [old, now] = [own(before, name), own(after, name)];
    return !old || !now || !sameValue(old, now);
  };
  return [...names].filter(differs);
}

/** What happened, in a few words. */
export function summary(change) {
  const names = changedNames(change);
  if (names === null) {
    const image = change.kind === 'REMOVE' ? change.before : change.after;
    return image ? `${Object.keys(image).length} attributes` : 'the stream has only the key';
  }
  if (names.length === 0) return 'only the order of set members';
  const more = names.length - kNamesShown;
  return names.slice(0, kNamesShown).map((name) => visible(name)).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Whether a change has all words of `text` in its key or in the names that changed, and its kind is wanted. */
export function changeMatches(change, { text, kinds }) {
  if (!kinds.has(change.kind)) return false;
  if (text === '') return true;
  const all = `${keyText(change.keys, 200)} ${(changedNames(change) ?? []).join(' ')}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
