// One table: its keys, indexes and settings, each with what changes it.

import { h, replace } from '../dom.js';
import { ago, bytes, number, time } from '../format.js';
import { shortcut } from '../keys.js';
import { fillPath, hrefTo, navigate } from '../router.js';
import { codeTabs, copyButton, dialog, errorBox } from '../widgets.js';
import {
  addIndex, changeCapacity, changeClass, changeIndexUnits, changeProtection, changeRecovery, changeStream, changeTags,
  changeTtl, deleteIndex, deleteTable,
} from './changes.js';
import {
  definitionOf, describeKeys, describeVector, isOnDemand, kClasses, kViews,
} from './definition.js';
import { definitionOfState, isSettled, loadTable } from './table_state.js';
import { allForms } from './templates.js';

const kPoll = 1000; // milliseconds, while the table changes

function fact(label, ...content) {
  return [h('dt', {}, label), h('dd', {}, content)];
}

function changeButton(what, run) {
  return h('button', { class: 'small', 'aria-label': `Change ${what}`, on: { click: run } }, 'Change');
}

function panel(title, content, ...buttons) {
  return h('section', { class: 'panel', 'aria-label': title },
    h('header', {}, h('h2', {}, title), buttons), h('div', { class: 'body' }, content));
}

function unitsText({ ReadCapacityUnits: read, WriteCapacityUnits: write } = {}) {
  return `${number(read ?? 0)} read, ${number(write ?? 0)} write`;
}

function onDemandLimits(limits) {
  const { MaxReadRequestUnits: read = -1, MaxWriteRequestUnits: write = -1 } = limits ?? {};
  const parts = [read > 0 && `${number(read)} read`, write > 0 && `${number(write)} write`].filter(Boolean);
  return parts.length > 0 ? `, at most ${parts.join(' and ')} units a second` : '';
}

function aboutPanel({ table }) {
  return panel('Table', h('dl', { class: 'facts' },
    fact('Items', number(table.ItemCount)),
    fact('Size', bytes(table.TableSizeBytes), table.ItemCount > 0
      && h('span', { class: 'quiet' }, ` · ${bytes(table.TableSizeBytes / table.ItemCount)} an item`)),
    fact('Made', time(table.CreationDateTime), h('span', { class: 'quiet' }, ` · ${ago(table.CreationDateTime)}`)),
    fact('ARN', h('code', {}, table.TableArn), ' ', copyButton(table.TableArn)),
    table.TableId && fact('Id', h('code', {}, table.TableId))));
}

function keysPanel({ table }) {
  const { hash, range } = definitionOf(table);
  const row = (kind) => ({ name, type }) => h('tr', {},
    h('td', {}, name), h('td', {}, { S: 'String', N: 'Number', B: 'Binary' }[type]), h('td', {}, kind));
  return panel('Keys', h('table', { class: 'grid' },
    h('thead', {}, h('tr', {}, ['Attribute', 'Type', 'Key'].map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, hash.map(row('partition key')), range.map(row('sort key')))));
}

function projectionText({ ProjectionType: type, NonKeyAttributes: attributes = [] }) {
  if (type === 'INCLUDE') return `keys, ${attributes.join(', ')}`;
  return type === 'ALL' ? 'all' : 'keys';
}

function indexRow(state, description, isGlobal, act) {
  const { table } = state;
  const { hash, range } = definitionOf(table).indexes.find((each) => each.name === description.IndexName);
  const name = description.IndexName;
  const place = `${fillPath('tables/:table/items', { table: table.TableName })}?index=${encodeURIComponent(name)}`;
  return h('tr', {},
    h('td', {}, h('a', { href: hrefTo(place) }, name), statusBadge(description.IndexStatus ?? 'ACTIVE')),
    h('td', {}, isGlobal ? 'global' : 'local'),
    h('td', {}, describeKeys(hash, range)),
    h('td', {}, projectionText(description.Projection)),
    h('td', { class: 'number' }, number(description.ItemCount ?? 0)),
    h('td', { class: 'number' }, bytes(description.IndexSizeBytes ?? 0)),
    h('td', {}, isGlobal && [
      !isOnDemand(table) && h('button', {
        class: 'small', 'aria-label': `Change the capacity of ${name}`, on: { click: () => act(changeIndexUnits, description) },
      }, unitsText(description.ProvisionedThroughput)), ' ',
      h('button', {
        class: 'small', 'aria-label': `Delete the index ${name}`, on: { click: () => act(deleteIndex, name) },
      }, 'Delete')]));
}

function statusBadge(status) {
  return status !== 'ACTIVE' && [' ', h('span', { class: 'badge warn' }, status)];
}

function vectorRow({ table }, description) {
  const index = definitionOf(table).vectors.find((each) => each.name === description.IndexName);
  return h('tr', {},
    h('td', {}, index.name, statusBadge(description.IndexStatus)),
    h('td', {}, 'vector'),
    h('td', {}, describeVector(index)),
    h('td', {}, projectionText(description.Projection)),
    h('td', { class: 'number' }, number(description.ItemCount ?? 0)),
    h('td', { class: 'number' }, bytes(description.IndexSizeBytes ?? 0)),
    h('td', {}));
}

function indexesPanel(state, act) {
  const { table } = state;
  const rows = [
    ...(table.GlobalSecondaryIndexes ?? []).map((each) => indexRow(state, each, true, act)),
    ...(table.LocalSecondaryIndexes ?? []).map((each) => indexRow(state, each, false, act)),
    ...(table.VectorIndexes ?? []).map((each) => vectorRow(state, each)),
  ];
  const heads = ['Index', 'Kind', 'Keys', 'Attributes', 'Items', 'Size'];
  const content = rows.length === 0
    ? h('p', { class: 'quiet' }, 'None. A global index can be added at any time, a local one with the table alone.')
    : h('div', { class: 'scrolls' }, h('table', { class: 'grid' },
      h('thead', {}, h('tr', {}, heads.map((text) => h('th', {
        scope: 'col', class: ['Items', 'Size'].includes(text) && 'number',
      }, text)), h('td', {}))), h('tbody', {}, rows)));
  const node = panel('Indexes', content,
    h('button', { class: 'small', on: { click: () => act(addIndex) } }, 'Add a global index'));
  node.classList.add('across');
  return node;
}

function labelOf(options, value) {
  return options.find(([key]) => key === value)?.[1] ?? value;
}

function settingsPanel(state, act) {
  const { table, ttl, recovery, policy } = state;
  const { stream, tableClass } = definitionOf(table);
  const capacity = isOnDemand(table)
    ? `on demand${onDemandLimits(table.OnDemandThroughput)}` : `provisioned: ${unitsText(table.ProvisionedThroughput)}`;
  const streamPlace = hrefTo(fillPath('tables/:table/stream', { table: table.TableName }));
  const row = (label, what, run, ...content) => fact(label, h('div', { class: 'row' },
    h('span', { class: 'grow' }, content), changeButton(what, () => act(run))));
  return panel('Settings', h('dl', { class: 'facts' },
    row('Capacity', 'the capacity', changeCapacity, capacity),
    row('Stream', 'the stream', changeStream, stream
      ? h('a', { href: streamPlace }, labelOf(kViews, stream).toLowerCase()) : 'off'),
    stream && table.LatestStreamArn && fact('Stream ARN', h('code', {}, table.LatestStreamArn)),
    row('Time to live', 'the time to live', changeTtl, ttl.status === 'DISABLED' ? 'off' : [
      h('code', {}, ttl.attribute), ttl.status !== 'ENABLED' && ` (${ttl.status.toLowerCase()})`]),
    row('Protection', 'the protection', changeProtection,
      table.DeletionProtectionEnabled ? 'the table cannot be deleted' : 'off'),
    row('Class', 'the class', changeClass, labelOf(kClasses, tableClass).toLowerCase()),
    recovery && row('Recovery', 'the recovery', changeRecovery,
      recovery.status === 'ENABLED' ? `to any time of ${recovery.days ?? 35} days` : 'off'),
    fact('Resource policy', { yes: 'there is one', none: 'none', unknown: 'not told' }[policy])));
}

// nothing for a table of one region
function replicasPanel({ table }) {
  const { Replicas: replicas = [], GlobalTableWitnesses: witnesses = [] } = table;
  if (replicas.length + witnesses.length === 0) return null;
  const row = (kind, region, status) => h('tr', {}, h('td', {}, region), h('td', {}, kind), h('td', {}, status.toLowerCase()));
  return panel('Replicas', h('div', { class: 'stack' },
    h('table', { class: 'grid' },
      h('thead', {}, h('tr', {}, ['Region', 'Kind', 'State'].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {},
        replicas.map((each) => row('replica', each.RegionName, each.ReplicaStatus)),
        witnesses.map((each) => row('witness', each.RegionName, each.WitnessStatus)))),
    h('dl', { class: 'facts' },
      table.MultiRegionConsistency && fact('Consistency', table.MultiRegionConsistency.toLowerCase()),
      fact('Disassociation', table.DisassociationProtectionEnabled ? 'protected against' : 'not protected against'))));
}

function tagsPanel(state, act) {
  const { tags } = state;
  return panel('Tags', tags.length === 0 ? h('p', { class: 'quiet' }, 'None.') : h('div', {},
    tags.map(({ Key, Value }) => h('span', { class: 'tag' }, h('span', { class: 'quiet' }, `${Key}: `), Value))),
  changeButton('the tags', () => act(changeTags)));
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
    ], { label: 'The same for other tools' }),
  });
}

function toolbar(state, act) {
  const { TableName: name, TableStatus: status } = state.table;
  return h('div', { class: 'toolbar' },
    h('h1', {}, name, ' ', status !== 'ACTIVE' && h('span', { class: 'badge warn' }, status)),
    h('a', { class: 'button primary', href: hrefTo(fillPath('tables/:table/items', { table: name })) }, 'Items'),
    h('button', { on: { click: () => copyAs(state) } }, 'Copy as …'),
    h('button', { on: { click: () => navigate(`create?from=${encodeURIComponent(name)}`) } }, 'Duplicate'),
    h('button', { class: 'danger', on: { click: () => act(deleteTable) } }, 'Delete'));
}

export const room = {
  title: ({ table }) => table,

  async show({ table: name }, { main, signal }) {
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
      replace(main, toolbar(state, act), h('div', { class: 'details' },
        aboutPanel(state), keysPanel(state), indexesPanel(state, act), settingsPanel(state, act), replicasPanel(state),
        tagsPanel(state, act)));
      if (!isSettled(state.table)) timer = setTimeout(refresh, kPoll);
    };
    shortcut('r', 'Read again', refresh, { signal, group: 'In a table' });
    await refresh();
    return () => clearTimeout(timer);
  },
};
