// Reads a table's stream through the ordinary operations: shards, each after its parent, iterators
// that expire, records that were trimmed, shards that close and have children.
//
// Knows no page: `call(operation, input, {signal})` -> {output, error} is given.

import { kSignatureErrors } from '../operations.js';

const kShardsAtATime = 4;
const kDescribeEveryMilliseconds = 15_000;
const kMaxWaitMilliseconds = 10_000;
const kRefused = new Set(['AccessDeniedException', ...kSignatureErrors]);

/** What ends the reading for good; `reason` is 'gone', 'refused' or 'ended'. */
export class StreamEnd extends Error {
  constructor(reason, message) {
    super(message);
    this.reason = reason;
  }
}

/** What may be over after a while: throttling, a server that restarts, no network. */
class Trouble extends Error {}

export class StreamReader {
  #shards = new Map();  // id -> {id, parent, iterator, ended, last}
  #described = -Infinity;
  #disabled = false;
  #first = true;

  /**
   * start: 'LATEST' (from now) or 'TRIM_HORIZON' (from the oldest record that is kept).
   * onRecords(records, shardId): what one GetRecords gave.
   * onNotice(notice): {kind: 'expired' | 'trimmed' | 'closed' | 'opened', shard}.
   */
  constructor({ arn, call, start = 'LATEST', onRecords, onNotice = () => {}, now = () => Date.now(), limit = 500 }) {
    Object.assign(this, { arn, call, start, onRecords, onNotice, now, limit });
  }

  /** Shards that are read now. */
  get openShards() {
    let open = 0;
    for (const shard of this.#shards.values()) if (!shard.ended && shard.iterator !== undefined) ++open;
    return open;
  }

  /** Reads each shard once. Returns the number of records; throws StreamEnd or Trouble. */
  async round({ signal } = {}) {
    if (this.now() - this.#described >= kDescribeEveryMilliseconds) await this.#describe(signal);
    const readable = [...this.#shards.values()].filter((shard) => this.#canBeRead(shard));
    if (readable.length === 0 && this.#disabled && this.#allEnded()) {
      throw new StreamEnd('ended', 'The stream is disabled, and the page has read all of its records.');
    }
    let count = 0;
    const queue = readable.values();
    const worker = async () => {
      for (const shard of queue) count += await this.#readShard(shard, signal);
    };
    const results = await Promise.allSettled(Array.from({ length: kShardsAtATime }, worker));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return count;
  }

  #allEnded() {
    return [...this.#shards.values()].every((shard) => shard.ended);
  }

  #canBeRead(shard) {
    if (shard.ended) return false;
    const parent = this.#shards.get(shard.parent);
    return parent === undefined || parent.ended;
  }

  async #describe(signal) {
    const listed = [];
    let from;
    do {
      const input = { StreamArn: this.arn, ...(from && { ExclusiveStartShardId: from }) };
      const { StreamDescription: stream } = await this.#ask('DescribeStream', input, signal);
      listed.push(...stream.Shards);
      this.#disabled = stream.StreamStatus === 'DISABLED' || stream.StreamStatus === 'DISABLING';
      from = stream.LastEvaluatedShardId;
    } while (from !== undefined);
    this.#learn(listed);
    this.#described = this.now();
  }

  #learn(listed) {
    const ids = new Set(listed.map(({ ShardId }) => ShardId));
    for (const [id, shard] of this.#shards) {
      if (shard.ended && !ids.has(id)) this.#shards.delete(id);
    }
    for (const { ShardId: id, ParentShardId: parent, SequenceNumberRange: range } of listed) {
      if (this.#shards.has(id)) continue;
      // From now on means: not what stands in shards that were closed before.
      const past = this.#first && this.start === 'LATEST';
      const ended = past && range?.EndingSequenceNumber !== undefined;
      const type = past ? 'LATEST' : 'TRIM_HORIZON';
      this.#shards.set(id, { id, parent, type, iterator: undefined, ended, last: undefined });
      if (!this.#first) this.onNotice({ kind: 'opened', shard: id });
    }
    this.#first = false;
  }

  async #readShard(shard, signal) {
    if (shard.iterator === undefined && !await this.#position(shard, signal)) return 0;
    const input = { ShardIterator: shard.iterator, Limit: this.limit };
    const answer = await this.#tryTo('GetRecords', input, signal);
    if (answer.error) return this.#recover(shard, answer.error);
    const { Records: records, NextShardIterator: next } = answer.output;
    if (records.length > 0) {
      shard.last = records.at(-1).dynamodb.SequenceNumber;
      this.onRecords(records, shard.id);
    }
    shard.iterator = next;
    if (next === undefined) this.#close(shard);
    return records.length;
  }

  #close(shard) {
    shard.ended = true;
    this.#described = -Infinity;  // its children may be there
    this.onNotice({ kind: 'closed', shard: shard.id });
  }

  /** An iterator for where the shard was left. Returns false when it is not there (any more). */
  async #position(shard, signal) {
    const where = shard.last === undefined
      ? { ShardIteratorType: shard.type }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: shard.last };
    const answer = await this.#tryTo('GetShardIterator', { StreamArn: this.arn, ShardId: shard.id, ...where }, signal);
    if (answer.error) {
      this.#recover(shard, answer.error);
      return false;
    }
    shard.iterator = answer.output.ShardIterator;
    return true;
  }

  #recover(shard, error) {
    switch (error.type) {
      case 'ExpiredIteratorException':
      case 'ValidationException':  // an iterator of before the server was started anew
        shard.iterator = undefined;
        // What came meanwhile is read too: after the last record, or all that is kept.
        if (shard.last === undefined) shard.type = 'TRIM_HORIZON';
        this.onNotice({ kind: 'expired', shard: shard.id, fromOldest: shard.last === undefined });
        return 0;
      case 'TrimmedDataAccessException':
        shard.iterator = undefined;
        shard.last = undefined;
        shard.type = 'TRIM_HORIZON';
        this.onNotice({ kind: 'trimmed', shard: shard.id });
        return 0;
      case 'ResourceNotFoundException':
        // The shard is gone, or the stream: DescribeStream of the next round tells.
        this.#close(shard);
        return 0;
      default:
        throw new Trouble(error.message);
    }
  }

  /** Errors that a shard can recover from are given back, others thrown. */
  async #tryTo(operation, input, signal) {
    const answer = await this.call(operation, input, { signal });
    if (answer.error && kRefused.has(answer.error.type)) throw new StreamEnd('refused', answer.error.message);
    return answer;
  }

  async #ask(operation, input, signal) {
    const { output, error } = await this.#tryTo(operation, input, signal);
    if (!error) return output;
    if (error.type === 'ResourceNotFoundException') throw new StreamEnd('gone', 'The stream no longer exists.');
    if (error.type === 'ValidationException') throw new StreamEnd('refused', error.message);
    throw new Trouble(error.message);
  }
}

/** How long to wait after `failures` troubles in a row, in milliseconds. */
export function patience(failures) {
  return Math.min(kMaxWaitMilliseconds, 250 * 2 ** failures);
}

/**
 * Reads until `signal` is aborted or the stream ends (throws StreamEnd). `gate()` is awaited before
 * each round (pause). onTrouble(sentence or null) tells of trouble, and that it is over.
 */
export async function follow(reader, { signal, gate, sleep, onRound = () => {}, onTrouble }) {
  let failures = 0;
  while (!signal.aborted) {
    await gate();
    if (signal.aborted) return;
    let count = 0;
    try {
      count = await reader.round({ signal });
      if (failures > 0) onTrouble(null);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StreamEnd) throw error;
      ++failures;
      onTrouble(error.message);
    }
    onRound(count);
    await sleep(failures > 0 ? patience(failures) : count > 0 ? 100 : 500);
  }
}
