// A consumer of a table's stream, with the SDK's client of DynamoDB Streams.

import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { unmarshall } from '@aws-sdk/util-dynamodb';

export const streams = new DynamoDBStreamsClient({ endpoint: process.env.MAGNETO_ENDPOINT, maxAttempts: 1 });

/** One record in plain values; an image that is not there is undefined. */
function changeOf({ eventName, eventID, userIdentity, dynamodb }) {
  const plain = (item) => item && unmarshall(item);
  return {
    event: eventName,
    eventId: eventID,
    byService: userIdentity?.Type === 'Service' && userIdentity.PrincipalId === 'dynamodb.amazonaws.com',
    key: plain(dynamodb.Keys),
    old: plain(dynamodb.OldImage),
    new: plain(dynamodb.NewImage),
  };
}

/** Reads all shards of a stream, new ones too, each after its parent. */
export class StreamConsumer {
  iterators = new Map(); // by shard; undefined: the shard has ended

  constructor(arn) {
    this.arn = arn;
  }

  /** Of DescribeStream's pages, of two each so that there are some. */
  async shards() {
    const found = [];
    let ExclusiveStartShardId;
    do {
      const request = { StreamArn: this.arn, Limit: 2, ExclusiveStartShardId };
      const { StreamDescription } = await streams.send(new DescribeStreamCommand(request));
      found.push(...StreamDescription.Shards);
      ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
    } while (ExclusiveStartShardId !== undefined);
    return found;
  }

  hasEnded(shard) {
    return this.iterators.has(shard) && this.iterators.get(shard) === undefined;
  }

  /**
   * The changes that came since the last poll, those of an item in their order. Servers that share a store show them a
   * little later: ../cluster/with_shared_servers.py.
   */
  async poll(limit = 1000) {
    if (process.env.MAGNETO_SETTLE) await fetch(process.env.MAGNETO_SETTLE, { method: 'POST' });
    const shards = await this.shards();
    const known = new Set(shards.map(({ ShardId }) => ShardId));
    const changes = [];
    for (const { ShardId, ParentShardId } of shards) { // ascending, so parents come first
      if (known.has(ParentShardId) && !this.hasEnded(ParentShardId)) continue;
      if (!this.iterators.has(ShardId)) {
        const request = { StreamArn: this.arn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
        const { ShardIterator } = await streams.send(new GetShardIteratorCommand(request));
        this.iterators.set(ShardId, ShardIterator);
      }
      changes.push(...await this.readShard(ShardId, limit));
    }
    return changes;
  }

  /** As poll(), of a stream that was disabled. Of servers that share a store its shards end a little later. */
  async pollToEnd() {
    const changes = await this.poll();
    while (process.env.MAGNETO_SETTLE && ![...this.iterators.keys()].every((shard) => this.hasEnded(shard))) {
      changes.push(...await this.poll());
    }
    return changes;
  }

  async readShard(shard, Limit) {
    const changes = [];
    while (!this.hasEnded(shard)) {
      const request = { ShardIterator: this.iterators.get(shard), Limit };
      const { Records, NextShardIterator } = await streams.send(new GetRecordsCommand(request));
      this.iterators.set(shard, NextShardIterator);
      changes.push(...Records.map(changeOf));
      if (Records.length === 0) break;
    }
    return changes;
  }
}
