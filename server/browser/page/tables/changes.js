// What changes a table: each is a dialog, and resolves with whether something was changed.
// `state` is what loadTable() returns.

import { call } from '../client.js';
import { catalog } from '../catalog.js';
import { h, replace } from '../dom.js';
import { navigate } from '../router.js';
import { number } from '../format.js';
import {
  busy, checkbox, confirmDialog, dialog, errorBox, field, notify, select,
} from '../widgets.js';
import {
  addIndexInput, definitionOf, emptyIndex, kClasses, kViews, throughput, ttlInput,
} from './definition.js';
import { billingFields, indexFields, tagList, textInput } from './definition_form.js';

const nothing = () => {};

// A form whose `save` makes the calls, [operation, input] each, one after the other. The dialog stays,
// with DynamoDB's words, when one fails.
function changeDialog({ title, content, save, button = 'Save', wide = false }) {
  return dialog({
    title,
    wide,
    content: (close) => {
      const answer = h('div', { 'aria-live': 'polite' });
      const submitButton = h('button', { class: 'primary', type: 'submit' }, button);
      const submit = async (event) => {
        event.preventDefault();
        const error = await busy(submitButton, () => callAll(save()));
        if (error) replace(answer, errorBox(error));
        else close(true);
      };
      return h('form', { class: 'stack', on: { submit } }, content, answer,
        h('div', { class: 'actions' },
          h('button', { type: 'button', on: { click: () => close() } }, 'Cancel'), submitButton));
    },
  });
}

async function callAll(calls) {
  for (const [operation, input] of calls) {
    const { error } = await call(operation, input);
    if (error) return error;
  }
  return null;
}

function update(state, members) {
  return ['UpdateTable', { TableName: state.table.TableName, ...members }];
}

export function changeCapacity(state) {
  const definition = definitionOf(state.table);
  const before = definition.billing;
  const limits = state.table.OnDemandThroughput ?? {};
  const asText = (units) => (units > 0 ? String(units) : '');
  const most = { read: asText(limits.MaxReadRequestUnits), write: asText(limits.MaxWriteRequestUnits) };
  const limitInput = (member) => textInput(most, member, nothing, { inputmode: 'numeric', pattern: '[0-9]*', placeholder: 'No limit', class: 'short' });
  const limitFields = h('div', { class: 'row' },
    field('Most read units', limitInput('read')), field('Most write units', limitInput('write')));
  const global = definition.indexes.filter((index) => index.isGlobal);
  const changed = () => { limitFields.hidden = definition.billing === 'PROVISIONED'; };
  const save = () => {
    const members = { BillingMode: definition.billing };
    if (definition.billing === 'PROVISIONED') {
      members.ProvisionedThroughput = throughput(definition);
      if (before !== 'PROVISIONED' && global.length > 0) {
        members.GlobalSecondaryIndexUpdates = global.map((index) => (
          { Update: { IndexName: index.name, ProvisionedThroughput: throughput(definition) } }));
      }
    } else if (most.read || most.write || limits.MaxReadRequestUnits || limits.MaxWriteRequestUnits) {
      members.OnDemandThroughput = {
        MaxReadRequestUnits: Number(most.read) || -1, MaxWriteRequestUnits: Number(most.write) || -1,
      };
    }
    return [update(state, members)];
  };
  const content = [billingFields(definition, changed), limitFields,
    before !== 'PROVISIONED' && global.length > 0
      && h('p', { class: 'quiet' }, 'When it becomes provisioned, its global indexes get the same units.')];
  return changeDialog({ title: 'Capacity', content, save });
}

export function changeIndexUnits(state, description) {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = description.ProvisionedThroughput;
  const units = { read: String(read), write: String(write) };
  const input = (member) => textInput(units, member, nothing, { inputmode: 'numeric', required: true, class: 'short' });
  return changeDialog({
    title: `Capacity of ${description.IndexName}`,
    content: h('div', { class: 'row' }, field('Read units', input('read')), field('Write units', input('write'))),
    save: () => [update(state, {
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: description.IndexName, ProvisionedThroughput: throughput(units) } }],
    })],
  });
}

export function addIndex(state) {
  const index = emptyIndex(true);
  const definition = definitionOf(state.table);
  return changeDialog({
    title: 'New global index',
    wide: true,
    content: indexFields(index, definition, nothing),
    button: 'Add the index',
    save: () => [['UpdateTable', addIndexInput(state.table, index)]],
  });
}

// What brings an index back that was deleted. Until the old one is gone, DynamoDB refuses it.
async function bringIndexBack(table, index) {
  const { error } = await call('UpdateTable', addIndexInput(table, index));
  if (error) notify(error.message, { kind: 'bad' });
  else notify(`${index.name} is made again.`, { kind: 'good' });
}

export async function deleteIndex(state, name) {
  const { table } = state;
  const agreed = await confirmDialog({
    title: `Delete the index ${name}?`,
    message: 'Queries of it fail from then on. The items of the table stay.',
    confirm: 'Delete the index',
    danger: true,
  });
  if (!agreed) return false;
  const { error } = await call(...update(state, { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: name } }] }));
  if (error) {
    notify(error.message, { kind: 'bad' });
    return false;
  }
  const index = definitionOf(table).indexes.find((each) => each.name === name);
  notify(`${name} is deleted.`, {
    kind: 'good', milliseconds: 12000, action: { label: 'Make it again', run: () => bringIndexBack(table, index) },
  });
  return true;
}

export function changeStream(state) {
  const before = definitionOf(state.table).stream;
  const view = select(kViews, { value: before });
  return changeDialog({
    title: 'Stream',
    content: [field('Records have', view), h('p', { class: 'quiet' },
      'Another view is another stream: the records of the one that ends can be read for a day.')],
    save: () => {
      if (view.value === before) return [];
      const off = update(state, { StreamSpecification: { StreamEnabled: false } });
      const on = update(state, { StreamSpecification: { StreamEnabled: true, StreamViewType: view.value } });
      return [...(before ? [off] : []), ...(view.value ? [on] : [])];
    },
  });
}

export function changeTtl(state) {
  const { status, attribute } = state.ttl;
  const isOn = status === 'ENABLED' || status === 'ENABLING';
  const value = { attribute };
  const switched = checkbox('Items expire', { checked: isOn });
  return changeDialog({
    title: 'Time to live',
    content: [switched, field('Attribute', textInput(value, 'attribute', nothing, { required: true, readOnly: isOn }), {
      hint: 'A number: the second since 1970 in which the item expires.',
    })],
    save: () => {
      const wanted = switched.querySelector('input').checked;
      return wanted === isOn ? [] : [['UpdateTimeToLive', ttlInput(state.table.TableName, value.attribute, wanted)]];
    },
  });
}

export function changeProtection(state) {
  const isOn = Boolean(state.table.DeletionProtectionEnabled);
  const switched = checkbox('Refuse to delete the table', { checked: isOn });
  return changeDialog({
    title: 'Protection',
    content: switched,
    save: () => {
      const wanted = switched.querySelector('input').checked;
      return wanted === isOn ? [] : [update(state, { DeletionProtectionEnabled: wanted })];
    },
  });
}

export function changeClass(state) {
  const before = definitionOf(state.table).tableClass;
  const choice = select(kClasses, { value: before });
  return changeDialog({
    title: 'Class',
    content: field('Class', choice, { hint: 'What AWS asks for storage and requests; here it is kept and told.' }),
    save: () => (choice.value === before ? [] : [update(state, { TableClass: choice.value })]),
  });
}

export function changeRecovery(state) {
  const isOn = state.recovery.status === 'ENABLED';
  const switched = checkbox('Recovery to any point in time', { checked: isOn });
  return changeDialog({
    title: 'Recovery',
    content: switched,
    save: () => {
      const wanted = switched.querySelector('input').checked;
      return wanted === isOn ? [] : [['UpdateContinuousBackups', {
        TableName: state.table.TableName,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: wanted },
      }]];
    },
  });
}

export function changeTags(state) {
  const before = new Map(state.tags.map((tag) => [tag.Key, tag.Value]));
  const tags = [...before].map(([key, value]) => [key, value]);
  const arn = state.table.TableArn;
  return changeDialog({
    title: 'Tags',
    content: tagList(tags, nothing),
    save: () => {
      const kept = new Set(tags.map(([key]) => key));
      const gone = [...before.keys()].filter((key) => !kept.has(key));
      const put = tags.filter(([key, value]) => before.get(key) !== value).map(([Key, Value]) => ({ Key, Value }));
      return [
        ...(gone.length > 0 ? [['UntagResource', { ResourceArn: arn, TagKeys: gone }]] : []),
        ...(put.length > 0 ? [['TagResource', { ResourceArn: arn, Tags: put }]] : []),
      ];
    },
  });
}

export async function deleteTable(state) {
  const { TableName: name, ItemCount: count } = state.table;
  const agreed = await confirmDialog({
    title: `Delete ${name}?`,
    message: count > 0 ? `Its ${number(count)} items go with it, and cannot be brought back.` : 'It has no items.',
    confirm: 'Delete the table',
    danger: true,
    typed: count > 0 ? name : '',
  });
  if (!agreed) return false;
  const { error } = await call('DeleteTable', { TableName: name });
  if (error) {
    notify(error.message, { kind: 'bad' });
    return false;
  }
  catalog.forget(name);
  await catalog.load();
  notify(`${name} is deleted.`, { kind: 'good' });
  navigate('tables');
  return false;
}
