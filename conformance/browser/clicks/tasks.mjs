// The twelve tasks that the data browser is measured by, and what they are done to. Each begins at the
// list of tables.

import { call, makeTable } from '../page.mjs';

export const tasks = [
  ['find', 'find the order "o-007" of customer "c-3" by its key'],
  ['follow', 'from the orders, see all that have the status SENT, through the index byStatus'],
  ['edit', 'change the city in the address of an order'],
  ['create', 'create a table with a key of one attribute and a global index'],
  ['add', 'add a global index to the table'],
  ['query', 'query the orders of customer "c-2" that have a total of 40'],
  ['page', 'see the second page of the items'],
  ['export', 'export the table as a file'],
  ['watch', 'watch changes of the table as they are made'],
  ['undo', 'delete an order and undo it'],
  ['deleteMany', 'delete all orders with the status OLD (three of them)'],
  ['copy', "copy the table's definition, to make it elsewhere"],
];

export const kTable = 'clicks-orders';

/** The table that tasks begin with: 240 orders, three of them OLD. */
export async function makeOrders() {
  await makeTable(kTable, { hash: ['customer', 'S'], range: ['order', 'S'] }, {
    AttributeDefinitions: [{ AttributeName: 'status', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [{
      IndexName: 'byStatus', KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }], Projection: { ProjectionType: 'ALL' },
    }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });
  const orders = Array.from({ length: 240 }, (_, at) => ({
    customer: { S: `c-${at % 4}` }, order: { S: `o-${String(at).padStart(3, '0')}` }, status: { S: at < 3 ? 'OLD' : at % 2 ? 'SENT' : 'NEW' },
    total: { N: String(at % 50) }, address: { M: { city: { S: 'Lyon' }, zip: { S: '69001' } } },
  }));
  for (let at = 0; at < orders.length; at += 25) {
    const requests = orders.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } }));
    await call('BatchWriteItem', { RequestItems: { [kTable]: requests } });
  }
}

export async function ordersOf(expression, values, names) {
  const { Items } = await call('Scan', {
    TableName: kTable, FilterExpression: expression, ExpressionAttributeValues: values, ExpressionAttributeNames: names,
  });
  return Items;
}
