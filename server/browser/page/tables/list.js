// All tables with what one wants to know of each at a glance.

import { catalog } from '../catalog.js';
import { debounce, h, replace } from '../dom.js';
import { bytes, number, plural } from '../format.js';
import { icon } from '../icons.js';
import { fillPath, hrefTo, navigate } from '../router.js';
import { errorBox } from '../widgets.js';
import { allIndexes, definitionOf, describeKeys, isOnDemand } from './definition.js';

const kPage = 100; // tables that are described and shown at once
const kAtOnce = 6; // requests

const kColumns = [
  { title: 'Table', sort: (row) => row.name },
  { title: 'Keys' },
  { title: 'Items', number: true, sort: (row) => -(row.table?.ItemCount ?? -1) },
  { title: 'Size', number: true, sort: (row) => -(row.table?.TableSizeBytes ?? -1) },
  { title: 'Indexes', number: true, sort: (row) => -allIndexes(row.table ?? {}).length },
  { title: 'Capacity' },
  { title: 'Features' },
];

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

// What the table has switched on.
function features(table) {
  const names = [
    table.StreamSpecification?.StreamEnabled && 'Stream',
    table.DeletionProtectionEnabled && 'Protected',
    table.Replicas?.length > 0 && 'Global',
  ].filter(Boolean);
  return names.length > 0 && h('span', { class: 'badges' }, names.map((name) => h('span', { class: 'badge' }, name)));
}

function capacityOf(table) {
  if (isOnDemand(table)) return 'On demand';
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = table.ProvisionedThroughput;
  return `${number(read)} read, ${number(write)} write`;
}

function rowOf({ name, table }) {
  const link = h('a', { href: hrefTo(fillPath('tables/:table/items', { table: name })) }, name);
  if (!table) return h('tr', {}, h('th', { scope: 'row' }, link), h('td', { colspan: '7', class: 'quiet' }, '…'));
  const { hash, range } = definitionOf(table);
  return h('tr', {},
    h('td', { class: 'mono' }, link,
      table.TableStatus !== 'ACTIVE' && [' ', h('span', { class: 'badge warn' }, table.TableStatus)]),
    h('td', { class: 'mono' }, describeKeys(hash, range)),
    h('td', { class: 'number' }, number(table.ItemCount)),
    h('td', { class: 'number' }, bytes(table.TableSizeBytes)),
    h('td', { class: 'number' }, allIndexes(table).length || ''),
    h('td', {}, capacityOf(table)),
    h('td', {}, features(table)),
    h('td', {}, h('a', {
      class: 'to-overview', href: hrefTo(fillPath('tables/:table', { table: name })),
      'aria-label': `Overview of ${name}`,
    }, icon('overview'), 'Overview')));
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
      each.sort ? h('button', { on: { click: sort }, title: `Sort by ${each.title.toLowerCase()}` }, each.title)
        : each.title);
  });
  show();
  const node = h('table', { class: ['grid', 'words', 'tables-grid'] },
    h('thead', {}, h('tr', {}, heads, h('th', { scope: 'col' }, h('span', { class: 'off-screen' }, 'Actions')))), body);
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
        const { firstScreen } = await import('./first_screen.js');
        const screen = await firstScreen({ refresh });
        if (!signal.aborted) replace(main, screen);
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
      h('div', { class: ['panel', 'scrolls'] }, grid.node), more);
      await describeAll(page, grid.tell, signal);
      grid.show();
    };
    await refresh();
  },
};
