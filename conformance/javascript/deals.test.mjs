// C20.22, C20.23 and the cache of C20: a consumer of the stream that writes into the same table, with the SDK.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { readAll, send, streamOf, withTables } from './tables.mjs';

const copies = 3;
const days = ['2031-05-02T00:00:00', '2031-05-01T00:00:00'];
const TableName = 'Deals';
const tables = { Deals: { key: 'PK, SK', stream: 'NEW_IMAGE', global: { GSI1: 'GSI1PK, GSI1SK' } } };

const deal = (name, day, Brand, Category) => ({
  PK: `DEAL#${name}`, SK: `DEAL#${name}`, GSI1PK: `DEALS#${day}`, GSI1SK: `DEAL#${name}`, Brand, Category,
});
const watches = (kind, pairs) => pairs.map(([watched, user]) => ({ PK: `${kind}#${watched}`, SK: `USER#${user}` }));
const items = {
  Deals: [
    deal('4aX', days[1], 'Nut', 'Toys'),
    ...watches('BRANDWATCH', [['Zip', 'ana'], ['Zip', 'bo'], ['Nut', 'cy']]),
    ...watches('CATEGORYWATCH', [['Tech', 'ana'], ['Tech', 'dee'], ['Toys', 'bo']]),
  ],
};

const put = (Item) => send(PutCommand, { TableName, Item });

function collection(partition, request = {}) {
  return readAll(QueryCommand, {
    TableName, KeyConditionExpression: `${request.IndexName ? 'GSI1PK' : 'PK'} = :p`,
    ExpressionAttributeValues: { ':p': partition }, ...request,
  });
}

async function messages(user) {
  const found = await collection(`MESSAGES#${user}`, { IndexName: 'GSI1' });
  return found.map(({ About }) => About).sort();
}

/** What is done when a deal is new. */
class Announcer {
  count = 0;

  async notify(watched, found) {
    for (const { SK } of await collection(watched)) {
      const partition = SK.replace('USER#', 'MESSAGES#');
      const number = `MESSAGE#${String(this.count += 1).padStart(4, '0')}`;
      await put({
        PK: partition, SK: number, GSI1PK: partition, GSI1SK: number, About: `${watched} ${found.PK}`,
      });
    }
  }

  async refreshCaches() {
    const Deals = [];
    for (const day of days) {
      const found = await collection(`DEALS#${day}`, { IndexName: 'GSI1', ScanIndexForward: false });
      Deals.push(...found.map(({ PK }) => ({ Id: PK })));
    }
    for (let copy = 1; copy <= copies; copy += 1) {
      await put({ PK: `DEALSCACHE#${copy}`, SK: `DEALSCACHE#${copy}`, Deals });
    }
  }

  async announce(found) {
    await this.notify(`BRANDWATCH#${found.Brand}`, found);
    await this.notify(`CATEGORYWATCH#${found.Category}`, found);
    await this.refreshCaches();
  }
}

/** Polls until the stream is idle; the number of records. What is done for them makes records too. */
async function follow(consumer, announcer) {
  let count = 0;
  for (;;) {
    const changes = await consumer.poll();
    if (changes.length === 0) return count;
    count += changes.length;
    for (const change of changes) {
      if (change.event === 'INSERT' && change.key.PK.startsWith('DEAL#')) await announcer.announce(change.new);
    }
  }
}

const onTable = (name, body) => test(name, () => withTables(tables, items, async () => {
  const consumer = await streamOf(TableName);
  await consumer.poll(); // what is there already is no news
  const announcer = new Announcer();
  await body(() => follow(consumer, announcer));
}));

onTable('C20.22, C20.23 each watcher gets one message', async (followStream) => {
  const added = deal('4bA', days[0], 'Zip', 'Tech');
  await put(added);
  assert.equal(await followStream(), 1 + 4 + copies); // the deal, four messages, the caches
  assert.deepEqual(await messages('ana'), ['BRANDWATCH#Zip DEAL#4bA', 'CATEGORYWATCH#Tech DEAL#4bA']);
  assert.deepEqual(await messages('bo'), ['BRANDWATCH#Zip DEAL#4bA']);
  assert.deepEqual(await messages('dee'), ['CATEGORYWATCH#Tech DEAL#4bA']);
  assert.deepEqual(await messages('cy'), []);

  await put(added); // no change
  await put({ ...added, Brand: 'Nut' }); // no new deal
  assert.equal(await followStream(), 1);
  assert.deepEqual(await messages('cy'), []);
});

onTable('C20 the caches follow new deals', async (followStream) => {
  for (const name of ['4bA', '4ba']) await put(deal(name, days[0], 'None', 'None'));
  // In the end the caches are written with what they hold already, which is no change.
  assert.equal(await followStream(), 2 + copies);
  for (let copy = 1; copy <= copies; copy += 1) {
    const Key = { PK: `DEALSCACHE#${copy}`, SK: `DEALSCACHE#${copy}` };
    const { Item } = await send(GetCommand, { TableName, Key });
    assert.deepEqual(Item.Deals.map(({ Id }) => Id), ['DEAL#4ba', 'DEAL#4bA', 'DEAL#4aX']);
  }
});
