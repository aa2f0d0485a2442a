// One table: its keys, indexes and settings, and what changes them.

import { h, replace } from '../dom.js';
import { ago, bytes, number, time } from '../format.js';
import { icon } from '../icons.js';
import { shortcut } from '../keys.js';
import { fillPath, hrefTo, navigate } from '../router.js';
import { loadStyle } from '../style_sheet.js';
import { codeTabs, copyIcon, dialog, errorBox, tableHead } from '../widgets.js';
import { addIndex, changeIndexUnits, deleteIndex, deleteTable } from './changes.js';
import {
  allIndexes, definitionOf, describeKeys, isOnDemand, kClasses, kTypes, kViews,
} from './definition.js';
import { editSettings } from './settings.js';
import { definitionOfState, isSettled, loadTable } from './table_state.js';
import { allForms } from './templates.js';

const kPoll = 1000; // milliseconds, while the table changes

function fact(label, ...content) {
  return [h('dt', {}, label), h('dd', {}, content)];
}

// A name of AWS, which is long and has no place to break: it is cut, and copied whole.
function identifier(text, label) {
  return h('div', { class: 'identifier' }, h('code', { class: 'ellipsis', title: text }, text), copyIcon(text, label));
}

function panel(title, content, ...buttons) {
  return h('section', { class: 'panel', 'aria-label': title },
    h('header', {}, h('h2', {}, title), buttons), h('div', { class: 'body' }, content));
}

function labelOf(options, value) {
  return options.find(([key]) => key === value)?.[1] ?? value;
}

function unitsText({ ReadCapacityUnits: read, WriteCapacityUnits: write } = {}) {
  return `${number(read ?? 0)} read, ${number(write ?? 0)} write`;
}

function onDemandLimits(limits) {
  const { MaxReadRequestUnits: read = -1, MaxWriteRequestUnits: write = -1 } = limits ?? {};
  const parts = [read > 0 && `${number(read)} read`, write > 0 && `${number(write)} write`].filter(Boolean);
  return parts.length > 0 ? `, at most ${parts.join(' and ')} units a second` : '';
}

// What is asked first, in a row.
function summary({ table }) {
  const { ItemCount: count, TableSizeBytes: size, CreationDateTime: created } = table;
  const figures = [
    ['Items', number(count)], ['Size', bytes(size)], ['Average item size', count > 0 ? bytes(size / count) : '–'],
    ['Indexes', number(allIndexes(table).length)], ['Created', ago(created), time(created)],
  ];
  return h('dl', { class: 'figures' }, figures.map(([name, value, title]) => (
    h('div', {}, h('dt', {}, name), h('dd', { title }, value)))));
}

function aboutPanel({ table }) {
  return panel('Identifiers', h('dl', { class: 'facts' },
    fact('ARN', identifier(table.TableArn, 'Copy the ARN')),
    table.TableId && fact('Table ID', identifier(table.TableId, 'Copy the table ID')),
    table.LatestStreamArn && fact('Stream ARN', identifier(table.LatestStreamArn, 'Copy the stream ARN')),
    fact('Created', time(table.CreationDateTime))));
}

function keysPanel({ table }) {
  const { hash, range } = definitionOf(table);
  const row = (kind) => ({ name, type }) => h('tr', {},
    h('td', { class: 'mono' }, name), h('td', {}, labelOf(kTypes, type)), h('td', {}, kind));
  return panel('Keys', h('table', { class: ['grid', 'words'] },
    tableHead(['Attribute', 'Type', 'Role']),
    h('tbody', {}, hash.map(row('Partition key')), range.map(row('Sort key')))));
}

function projectionText({ ProjectionType: type, NonKeyAttributes: attributes = [] }) {
  if (type === 'INCLUDE') return `Keys, ${attributes.join(', ')}`;
  return type === 'ALL' ? 'All' : 'Keys';
}

// An index of any kind. `name` may be a link.
function rowOfIndex(description, { name, kind, keys, buttons }) {
  return h('tr', {},
    h('td', { class: 'mono' }, name, statusBadge(description.IndexStatus ?? 'ACTIVE')),
    h('td', {}, kind),
    h('td', { class: 'mono' }, keys),
    h('td', {}, projectionText(description.Projection)),
    h('td', { class: 'number' }, number(description.ItemCount ?? 0)),
    h('td', { class: 'number' }, bytes(description.IndexSizeBytes ?? 0)),
    h('td', { class: ['number', 'buttons'] }, buttons));
}

function indexRow(state, description, isGlobal, act) {
  const { table } = state;
  const { hash, range } = definitionOf(table).indexes.find((each) => each.name === description.IndexName);
  const name = description.IndexName;
  const place = `${fillPath('tables/:table/items', { table: table.TableName })}?index=${encodeURIComponent(name)}`;
  return rowOfIndex(description, {
    name: h('a', { href: hrefTo(place) }, name), kind: isGlobal ? 'Global' : 'Local', keys: describeKeys(hash, range),
    buttons: isGlobal && [
      !isOnDemand(table) && h('button', {
        class: 'small', 'aria-label': `Change the capacity of ${name}`,
        on: { click: () => act(changeIndexUnits, description) },
      }, unitsText(description.ProvisionedThroughput)), ' ',
      h('button', {
        class: 'small', 'aria-label': `Delete the index ${name}`, on: { click: () => act(deleteIndex, name) },
      }, 'Delete')],
  });
}

function statusBadge(status) {
  return status !== 'ACTIVE' && [' ', h('span', { class: 'badge warn' }, status)];
}

function otherRow({ table }, index) {
  const description = allIndexes(table).find((each) => each.IndexName === index.name);
  return rowOfIndex(description, { name: index.name, kind: index.kind, keys: index.text });
}

function indexesPanel(state, act) {
  const { table } = state;
  const rows = [
    ...(table.GlobalSecondaryIndexes ?? []).map((each) => indexRow(state, each, true, act)),
    ...(table.LocalSecondaryIndexes ?? []).map((each) => indexRow(state, each, false, act)),
    ...definitionOf(table).others.map((each) => otherRow(state, each)),
  ];
  const actions = h('span', { class: 'off-screen' }, 'Actions');
  const heads = ['Index', 'Kind', 'Keys', 'Attributes', ['Items'], ['Size'], actions];
  const content = rows.length === 0
    ? h('p', { class: 'quiet' },
      'None. You can add a global index at any time, but a local index only when you create the table.')
    : h('div', { class: 'scrolls' },
      h('table', { class: ['grid', 'words'] }, tableHead(heads), h('tbody', {}, rows)));
  const node = panel('Indexes', content,
    h('button', { class: 'small', on: { click: () => act(addIndex) } }, 'Add a global index'));
  node.classList.add('across');
  return node;
}

function settingsPanel(state, act) {
  const { table, ttl, recovery, policy } = state;
  const { stream, tableClass } = definitionOf(table);
  const streamPlace = hrefTo(fillPath('tables/:table/stream', { table: table.TableName }));
  const group = (title, ...facts) => h('section', {}, h('h3', {}, title), h('dl', { class: 'facts' }, facts));
  const node = panel('Settings', h('div', { class: 'setting-groups' },
    group('Capacity',
      fact('Mode', isOnDemand(table) ? `On demand${onDemandLimits(table.OnDemandThroughput)}`
        : `Provisioned: ${unitsText(table.ProvisionedThroughput)}`),
      fact('Table class', labelOf(kClasses, tableClass))),
    group('Stream and time to live',
      fact('Stream', stream ? h('a', { href: streamPlace }, labelOf(kViews, stream)) : 'Off'),
      fact('Time to live', ttl.status === 'DISABLED' ? 'Off' : [
        'By ', h('code', {}, ttl.attribute), ttl.status !== 'ENABLED' && ` (${ttl.status.toLowerCase()})`])),
    group('Protection',
      fact('Deletion protection', table.DeletionProtectionEnabled ? 'On' : 'Off'),
      recovery && fact('Point-in-time recovery',
        recovery.status === 'ENABLED' ? `On, ${recovery.days ?? 35} days` : 'Off'),
      fact('Resource policy', { yes: 'Attached', none: 'None', unknown: 'Unknown' }[policy]))),
  h('button', { class: 'small', on: { click: () => act(editSettings) } }, 'Edit settings'));
  node.classList.add('across');
  return node;
}

// nothing for a table of one region
function replicasPanel({ table }) {
  const { Replicas: replicas = [], GlobalTableWitnesses: witnesses = [] } = table;
  if (replicas.length + witnesses.length === 0) return null;
  const row = (kind, region, status) => h('tr', {},
    h('td', {}, region), h('td', {}, kind), h('td', {}, status.toLowerCase()));
  return panel('Replicas', h('div', { class: 'stack' },
    h('table', { class: ['grid', 'words'] },
      tableHead(['Region', 'Kind', 'Status']),
      h('tbody', {},
        replicas.map((each) => row('replica', each.RegionName, each.ReplicaStatus)),
        witnesses.map((each) => row('witness', each.RegionName, each.WitnessStatus)))),
    h('dl', { class: 'facts' },
      table.MultiRegionConsistency && fact('Consistency', table.MultiRegionConsistency.toLowerCase()),
      fact('Disassociation protection', table.DisassociationProtectionEnabled ? 'On' : 'Off'))));
}

function tagsPanel({ tags, table }) {
  const node = panel('Tags', tags.length === 0 ? h('p', { class: 'quiet' }, 'None.') : h('div', {},
    tags.map(({ Key, Value }) => h('span', { class: 'tag' }, h('span', { class: 'quiet' }, `${Key}: `), Value))));
  if (!table.Replicas?.length && !table.GlobalTableWitnesses?.length) node.classList.add('across');
  return node;
}

function copyAs(state) {
  const { table } = state;
  const definition = definitionOfState(state);
  return dialog({
    title: `${table.TableName} for other tools`,
    wide: true,
    content: codeTabs([
      ...allForms(definition, location.origin),
      { label: 'DescribeTable', text: () => `${JSON.stringify(table, null, 2)}\n` },
    ], { label: 'Definition for other tools' }),
  });
}

function toolbar(state, act) {
  const { TableName: name, TableStatus: status } = state.table;
  return h('div', { class: 'toolbar' },
    h('h1', {}, name, ' ', status !== 'ACTIVE' && h('span', { class: 'badge warn' }, status)),
    h('a', { class: 'button primary', href: hrefTo(fillPath('tables/:table/items', { table: name })) },
      icon('items'), 'Items'),
    h('button', { on: { click: () => copyAs(state) } }, 'Copy as …'),
    h('button', { on: { click: () => navigate(`create?from=${encodeURIComponent(name)}`) } }, 'Duplicate'),
    h('button', { class: 'danger', on: { click: () => act(deleteTable) } }, 'Delete'));
}

export const room = {
  title: ({ table }) => table,

  async show({ table: name }, { main, signal }) {
    await loadStyle('tables/tables.css');
    let timer = 0;
    const refresh = async () => {
      clearTimeout(timer);
      const state = await loadTable(name, { signal });
      if (signal.aborted) return;
      if (state.error) {
        replace(main, errorBox(state.error, refresh));
        return;
      }
      // A change is a dialog; what it changed is shown when it is done.
      const act = async (change, ...more) => {
        if (await change(state, ...more)) await refresh();
      };
      replace(main, toolbar(state, act), summary(state), h('div', { class: 'details' },
        keysPanel(state), aboutPanel(state), indexesPanel(state, act), settingsPanel(state, act), tagsPanel(state),
        replicasPanel(state)));
      if (!isSettled(state.table)) timer = setTimeout(refresh, kPoll);
    };
    shortcut('r', 'Refresh', refresh, { signal, group: 'In a table' });
    await refresh();
    return () => clearTimeout(timer);
  },
};
