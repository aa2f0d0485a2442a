// All tables with what one wants to know of each at a glance.

import { catalog } from '../catalog.js';
import { debounce, h, replace } from '../dom.js';
import { bytes, number, plural } from '../format.js';
import { fillPath, hrefTo, navigate } from '../router.js';
import { busy, codeTabs, emptyState, errorBox, notify } from '../widgets.js';
import { definitionOf, describeKeys, isOnDemand } from './definition.js';

const kPage = 100; // tables that are described and shown at once
const kAtOnce = 6; // requests

const kColumns = [
  { title: 'Table', sort: (row) => row.name },
  { title: 'Keys' },
  { title: 'Items', number: true, sort: (row) => -(row.table?.ItemCount ?? -1) },
  { title: 'Size', number: true, sort: (row) => -(row.table?.TableSizeBytes ?? -1) },
  { title: 'Indexes', number: true, sort: (row) => -indexCount(row.table) },
  { title: 'Capacity' },
  { title: 'State' },
];

function indexCount(table) {
  const lists = [table?.GlobalSecondaryIndexes, table?.LocalSecondaryIndexes, table?.VectorIndexes];
  return lists.reduce((count, list) => count + (list?.length ?? 0), 0);
}

// Describes `names`, some at a time, and tells `done` of each as it comes.
async function describeAll(names, done, signal) {
  const left = [...names];
  const work = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { table } = await catalog.describe(name, { signal });
      done(name, table);
    }
  };
  await Promise.all(Array.from({ length: kAtOnce }, work));
}

export function badges(table) {
  return [
    table.TableStatus !== 'ACTIVE' && h('span', { class: 'badge warn' }, table.TableStatus),
    table.StreamSpecification?.StreamEnabled && h('span', { class: 'badge' }, 'stream'),
    table.DeletionProtectionEnabled && h('span', { class: 'badge' }, 'protected'),
  ].filter(Boolean).flatMap((badge) => [badge, ' ']);
}

function capacityOf(table) {
  if (isOnDemand(table)) return 'on demand';
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = table.ProvisionedThroughput;
  return `${number(read)} read, ${number(write)} write`;
}

function rowOf({ name, table }) {
  const link = h('a', { href: hrefTo(fillPath('tables/:table/items', { table: name })) }, name);
  if (!table) return h('tr', {}, h('th', { scope: 'row' }, link), h('td', { colspan: '6', class: 'quiet' }, '…'));
  const { hash, range } = definitionOf(table);
  return h('tr', {},
    h('td', {}, link),
    h('td', {}, describeKeys(hash, range)),
    h('td', { class: 'number' }, number(table.ItemCount)),
    h('td', { class: 'number' }, bytes(table.TableSizeBytes)),
    h('td', { class: 'number' }, indexCount(table) || ''),
    h('td', {}, capacityOf(table)),
    h('td', {}, badges(table),
      h('a', { href: hrefTo(fillPath('tables/:table', { table: name })), 'aria-label': `Overview of ${name}` }, 'overview')));
}

function nothingHere(refresh) {
  const button = h('button', {
    on: {
      click: () => busy(button, async () => {
        const { makeExample } = await import('./example.js');
        const error = await makeExample();
        if (error) notify(error.message, { kind: 'bad' });
        await refresh();
      }),
    },
  }, 'Make an example');
  return h('div', { class: 'stack narrow' },
    emptyState('There are no tables yet', 'Make one here, or let your program make it: its endpoint is the address of this page.',
      h('button', { class: 'primary', on: { click: () => navigate('create') } }, 'New table'), button),
    codeTabs([
      { label: 'AWS CLI', text: `aws dynamodb list-tables --endpoint-url ${location.origin}\n` },
      { label: 'Environment', text: `export AWS_ENDPOINT_URL_DYNAMODB=${location.origin}\n` },
      {
        label: 'JavaScript',
        text: `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';\n\nconst client = new DynamoDBClient({ endpoint: '${location.origin}' });\n`,
      },
      { label: 'Python', text: `import boto3\n\ndynamodb = boto3.resource("dynamodb", endpoint_url="${location.origin}")\n` },
    ], { label: 'How a program finds this server' }));
}

// The grid, and what tells it of a description.
function makeGrid(names) {
  const rows = new Map(names.map((name) => [name, { name, table: null }]));
  const body = h('tbody', {});
  let column = kColumns[0];
  const show = () => {
    const sorted = [...rows.values()].sort((a, b) => {
      const [x, y] = [column.sort(a), column.sort(b)];
      if (x === y) return 0;
      return x < y ? -1 : 1;
    });
    replace(body, sorted.map(rowOf));
  };
  const heads = kColumns.map((each) => {
    const sort = () => {
      column = each;
      heads.forEach((head, i) => head.setAttribute('aria-sort',
        kColumns[i] !== column ? 'none' : column.number ? 'descending' : 'ascending'));
      show();
    };
    return h('th', { scope: 'col', class: each.number && 'number' },
      each.sort ? h('button', { on: { click: sort }, title: `Sort by ${each.title.toLowerCase()}` }, each.title) : each.title);
  });
  show();
  const node = h('table', { class: 'grid tables-grid' }, h('thead', {}, h('tr', {}, heads)), body);
  const soon = debounce(show, 50);
  const tell = (name, table) => {
    rows.get(name).table = table;
    soon();
  };
  return { node, tell, show };
}

export const room = {
  title: () => 'Tables',

  async show(params, { main, signal }) {
    const refresh = async () => {
      const { names, error } = await catalog.load();
      if (signal.aborted) return;
      if (error) {
        replace(main, errorBox(error, refresh));
      } else if (names.length === 0) {
        replace(main, nothingHere(refresh));
      } else {
        await showTables(names);
      }
    };
    let shown = kPage;
    const showTables = async (names) => {
      const page = names.slice(0, shown);
      const grid = makeGrid(page);
      const more = names.length > shown && h('button', {
        on: {
          click: () => {
            shown += kPage;
            showTables(names);
          },
        },
      }, `Show ${number(Math.min(kPage, names.length - shown))} more`);
      replace(main, h('div', { class: 'toolbar' },
        h('h1', {}, plural(names.length, 'table')),
        h('button', { on: { click: refresh } }, 'Refresh'),
        h('button', { class: 'primary', on: { click: () => navigate('create') } }, 'New table')),
      h('div', { class: 'scrolls' }, grid.node), more);
      await describeAll(page, grid.tell, signal);
      grid.show();
    };
    await refresh();
  },
};
