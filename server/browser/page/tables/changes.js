// What changes the indexes of a table, and its end: each is a dialog, and resolves with whether something
// was changed. `state` is what loadTable() returns.

import { call } from '../client.js';
import { catalog } from '../catalog.js';
import { h, replace } from '../dom.js';
import { navigate } from '../router.js';
import { number } from '../format.js';
import { busy, button, confirmDialog, dialog, errorBox, field, notify } from '../widgets.js';
import { addIndexInput, definitionOf, emptyIndex, throughput } from './definition.js';
import { indexFields, textInput } from './definition_form.js';

const nothing = () => {};

// A form that makes the call [operation, input] of `request()`. The dialog stays, with DynamoDB's words,
// when it fails.
function changeDialog({ title, content, request, saveText = 'Save', wide = false }) {
  return dialog({
    title,
    wide,
    content: (close) => {
      const answer = h('div', { 'aria-live': 'polite' });
      const submitButton = h('button', { class: 'primary', type: 'submit' }, saveText);
      const submit = async (event) => {
        event.preventDefault();
        const { error } = await busy(submitButton, () => call(...request()));
        if (error) replace(answer, errorBox(error));
        else close(true);
      };
      return h('form', { class: 'stack', on: { submit } }, content, answer,
        h('div', { class: 'actions' }, button('Cancel', () => close()), submitButton));
    },
  });
}

function update(state, members) {
  return ['UpdateTable', { TableName: state.table.TableName, ...members }];
}

export function changeIndexUnits(state, description) {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = description.ProvisionedThroughput;
  const units = { read: String(read), write: String(write) };
  const input = (member) => textInput(units, member, nothing, { inputmode: 'numeric', required: true, class: 'short' });
  return changeDialog({
    title: `Capacity of ${description.IndexName}`,
    content: h('div', { class: 'row' }, field('Read units', input('read')), field('Write units', input('write'))),
    request: () => update(state, {
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: description.IndexName, ProvisionedThroughput: throughput(units) } }],
    }),
  });
}

export function addIndex(state) {
  const index = emptyIndex(true);
  const definition = definitionOf(state.table);
  return changeDialog({
    title: 'New global index',
    wide: true,
    content: indexFields(index, definition, nothing),
    saveText: 'Add the index',
    request: () => ['UpdateTable', addIndexInput(state.table, index)],
  });
}

// What brings an index back that was deleted. Until the old one is gone, DynamoDB refuses it.
async function bringIndexBack(table, index) {
  const { error } = await call('UpdateTable', addIndexInput(table, index));
  if (error) notify(error.message, { kind: 'bad' });
  else notify(`${index.name} is created again.`, { kind: 'good' });
}

export async function deleteIndex(state, name) {
  const { table } = state;
  const agreed = await confirmDialog({
    title: `Delete the index ${name}?`,
    message: 'Queries of this index then fail. The table keeps its items.',
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
    kind: 'good', milliseconds: 12000, action: { label: 'Create it again', run: () => bringIndexBack(table, index) },
  });
  return true;
}

export async function deleteTable(state) {
  const { TableName: name, ItemCount: count } = state.table;
  const agreed = await confirmDialog({
    title: `Delete ${name}?`,
    message: count > 0 ? `The table has ${number(count)} items. You cannot restore them.` : 'The table has no items.',
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
