// The reader of streams against a model of one, whose shards close and have children, whose iterators
// expire, whose records are trimmed, and which throttles.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { StreamEnd, StreamReader, patience } from '../../../server/browser/page/live/stream_reader.js';

const fail = (type, message = type) => ({ output: null, error: { type, message } });
const give = (output) => ({ output, error: null });

class Stream {
  shards = [];
  sequence = 100;
  status = 'ENABLED';
  gone = false;
  expired = new Set();
  calls = [];
  failWith = null;

  open(parent) {
    const shard = { id: `shard-${String(this.shards.length).padStart(3, '0')}`, parent, records: [], start: this.sequence, end: undefined };
    this.shards.push(shard);
    return shard;
  }

  write(shard, text) {
    const SequenceNumber = String(++this.sequence);
    shard.records.push({ text, dynamodb: { SequenceNumber } });
  }

  close(shard, children) {
    shard.end = this.sequence;
    return Array.from({ length: children }, () => this.open(shard.id));
  }

  call = async (operation, input) => {
    this.calls.push(operation);
    if (this.failWith) return fail(this.failWith);
    if (this.gone) return fail('ResourceNotFoundException');
    return this[operation](input);
  };

  DescribeStream({ ExclusiveStartShardId: from }) {
    const at = from ? this.shards.findIndex(({ id }) => id === from) + 1 : 0;
    const page = this.shards.slice(at, at + 2);
    return give({ StreamDescription: {
      StreamStatus: this.status,
      Shards: page.map(({ id, parent, start, end }) => ({
        ShardId: id, ParentShardId: parent,
        SequenceNumberRange: { StartingSequenceNumber: String(start), ...(end !== undefined && { EndingSequenceNumber: String(end) }) },
      })),
      ...(at + 2 < this.shards.length && { LastEvaluatedShardId: page.at(-1).id }),
    } });
  }

  GetShardIterator({ ShardId, ShardIteratorType: type, SequenceNumber: after }) {
    const shard = this.shards.find(({ id }) => id === ShardId);
    if (!shard) return fail('ResourceNotFoundException');
    if (after !== undefined && Number(after) < (shard.trimmed ?? 0)) return fail('TrimmedDataAccessException');
    const position = type === 'LATEST' ? this.sequence : type === 'AFTER_SEQUENCE_NUMBER' ? Number(after) : Math.max(0, shard.trimmed ?? 0);
    return give({ ShardIterator: JSON.stringify({ ShardId, position, made: this.calls.length }) });
  }

  GetRecords({ ShardIterator, Limit }) {
    if (this.expired.has(ShardIterator)) return fail('ExpiredIteratorException');
    const { ShardId, position } = JSON.parse(ShardIterator);
    const shard = this.shards.find(({ id }) => id === ShardId);
    if (!shard) return fail('ResourceNotFoundException');
    if (position < (shard.trimmed ?? 0)) return fail('TrimmedDataAccessException');
    const left = shard.records.filter(({ dynamodb }) => Number(dynamodb.SequenceNumber) > position);
    const records = left.slice(0, Limit);
    const next = records.length > 0 ? Number(records.at(-1).dynamodb.SequenceNumber) : position;
    const ended = shard.end !== undefined && left.length === records.length;
    return give({ Records: records, ...(!ended && { NextShardIterator: JSON.stringify({ ShardId, position: next, made: this.calls.length }) }) });
  }
}

function readerOf(stream, options = {}) {
  const texts = [];
  const notices = [];
  let time = 0;
  const reader = new StreamReader({
    arn: 'arn', call: stream.call, now: () => time,
    onRecords: (records) => texts.push(...records.map(({ text }) => text)),
    onNotice: ({ kind }) => notices.push(kind), ...options,
  });
  const rounds = async (count) => {
    for (let at = 0; at < count; ++at) {
      time += 20_000;
      await reader.round();
    }
  };
  return { reader, texts, notices, rounds };
}

test('from now on means what comes later, in closed shards and their children too', async () => {
  const stream = new Stream();
  const old = stream.open();
  stream.write(old, 'old');
  const [shard] = stream.close(old, 1);
  stream.write(shard, 'before');
  const { texts, rounds, notices } = readerOf(stream);
  await rounds(1);
  stream.write(shard, 'a');
  const [left, right] = stream.close(shard, 2);
  stream.write(left, 'b');
  stream.write(right, 'c');
  await rounds(4);
  assert.deepEqual(texts, ['a', 'b', 'c']);
  assert.deepEqual(notices.sort(), ['closed', 'opened', 'opened']);
});

test('from the oldest, parents are read before their children', async () => {
  const stream = new Stream();
  let shard = stream.open();
  const written = [];
  for (let generation = 0; generation < 5; ++generation) {
    for (let at = 0; at < 7; ++at) {
      written.push(`${generation}.${at}`);
      stream.write(shard, written.at(-1));
    }
    [shard] = stream.close(shard, 1);
  }
  const { texts, rounds } = readerOf(stream, { start: 'TRIM_HORIZON', limit: 3 });
  await rounds(40);
  assert.deepEqual(texts, written);
});

test('an iterator that expired loses nothing', async () => {
  const stream = new Stream();
  const shard = stream.open();
  const { texts, rounds, notices } = readerOf(stream);
  await rounds(1);
  stream.write(shard, 'a');
  await rounds(1);
  const real = stream.GetRecords;
  stream.GetRecords = () => fail('ExpiredIteratorException');
  stream.write(shard, 'b');
  await rounds(1);
  stream.GetRecords = real;
  await rounds(1);
  assert.deepEqual(texts, ['a', 'b']);
  assert.deepEqual(notices, ['expired']);
});

test('one that expired before anything was read begins at the oldest record, and says so', async () => {
  const stream = new Stream();
  const shard = stream.open();
  stream.write(shard, 'before');
  const told = [];
  const { texts, rounds } = readerOf(stream, { onNotice: (notice) => told.push(notice) });
  await rounds(1);
  const real = stream.GetRecords;
  stream.GetRecords = () => fail('ExpiredIteratorException');
  await rounds(1);
  stream.GetRecords = real;
  stream.write(shard, 'a');
  await rounds(1);
  assert.deepEqual(texts, ['before', 'a']);
  assert.deepEqual(told.map(({ kind, fromOldest }) => [kind, fromOldest]), [['expired', true]]);
});

test('what was trimmed is told, and reading goes on behind it', async () => {
  const stream = new Stream();
  const shard = stream.open();
  const { texts, rounds, notices } = readerOf(stream, { start: 'TRIM_HORIZON' });
  stream.write(shard, 'a');
  await rounds(1);
  stream.write(shard, 'lost');
  shard.records = [];
  shard.trimmed = stream.sequence;
  stream.write(shard, 'b');
  await rounds(3);
  assert.deepEqual(texts, ['a', 'b']);
  assert.deepEqual(notices, ['trimmed']);
});

test('throttling loses nothing and is waited for ever longer, up to a bound', async () => {
  const stream = new Stream();
  const shard = stream.open();
  const { reader, texts, rounds } = readerOf(stream);
  await rounds(1);
  stream.write(shard, 'a');
  stream.failWith = 'ThrottlingException';
  await assert.rejects(reader.round(), (error) => !(error instanceof StreamEnd));
  stream.failWith = null;
  await rounds(1);
  assert.deepEqual(texts, ['a']);
  assert.ok(patience(1) < patience(2));
  assert.equal(patience(50), 10_000);
});

test('a stream that is gone, switched off or forbidden ends the reading', async () => {
  const ends = async (stream, prepare, reason) => {
    const { reader, rounds } = readerOf(stream, { start: 'TRIM_HORIZON' });
    stream.open();
    await rounds(1);
    prepare(stream);
    await assert.rejects(async () => { await rounds(3); await reader.round(); }, (error) => error.reason === reason);
  };
  await ends(new Stream(), (stream) => { stream.gone = true; }, 'gone');
  await ends(new Stream(), (stream) => { stream.failWith = 'AccessDeniedException'; }, 'refused');
  await ends(new Stream(), (stream) => {
    stream.status = 'DISABLED';
    stream.close(stream.shards[0], 0);
  }, 'ended');
});

test('shards that ended and went are forgotten, and many are read a few at a time', async () => {
  const stream = new Stream();
  for (let at = 0; at < 50; ++at) stream.open();
  let atOnce = 0;
  let most = 0;
  const call = async (...given) => {
    most = Math.max(most, ++atOnce);
    await new Promise((resolve) => { setImmediate(resolve); });
    --atOnce;
    return stream.call(...given);
  };
  const { reader, rounds } = readerOf(stream, { call });
  await rounds(1);
  assert.equal(reader.openShards, 50);
  assert.ok(most <= 4);
  for (const shard of stream.shards) shard.end = stream.sequence;
  await rounds(1);
  assert.equal(reader.openShards, 0);
  stream.shards = [stream.open()];
  await rounds(2);
  assert.equal(reader.openShards, 1);
});

test('whatever happens, each record comes once, and those of a family of shards in order', async () => {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  for (let run = 0; run < 30; ++run) {
    const stream = new Stream();
    let open = [stream.open(), stream.open()];
    const real = stream.call;
    stream.call = async (operation, input) => {
      const chance = random(20);
      if (chance === 0) return fail('ThrottlingException');
      if (chance === 1 && operation === 'GetRecords') return fail('ExpiredIteratorException');
      return real(operation, input);
    };
    const { reader, texts } = readerOf(stream, { start: 'TRIM_HORIZON', limit: 5, now: () => stream.calls.length * 3000 });
    const written = [];
    for (let step = 0; step < 200; ++step) {
      if (step < 120) {
        const shard = open[random(open.length)];
        written.push(String(stream.sequence + 1));
        stream.write(shard, written.at(-1));
        if (random(10) === 0) open = [...open.filter((each) => each !== shard), ...stream.close(shard, 1 + random(2))];
      }
      await reader.round().catch((error) => assert.ok(!(error instanceof StreamEnd), String(error)));
    }
    for (let at = 0; at < 200; ++at) await reader.round().catch(() => {});
    assert.deepEqual([...texts].sort(), [...written].sort());
    checkOrder(stream, texts);
  }
});

function checkOrder(stream, texts) {
  const at = new Map(texts.map((text, index) => [text, index]));
  for (const shard of stream.shards) {
    const places = shard.records.map(({ text }) => at.get(text));
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    const parent = stream.shards.find(({ id }) => id === shard.parent);
    const last = Math.max(-1, ...(parent?.records ?? []).map(({ text }) => at.get(text)));
    for (const place of places) assert.ok(place > last);
  }
}
