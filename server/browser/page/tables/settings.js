// All settings of a table in one dialog. Only what was changed is sent, one call after the other; when
// DynamoDB refuses one, the dialog stays with its words, and what was saved before it is not sent again.

import { call } from '../client.js';
import { h, replace } from '../dom.js';
import { busy, button, checkbox, dialog, errorBox, field, select } from '../widgets.js';
import { definitionOf, kClasses, kViews, throughput, ttlInput } from './definition.js';
import { billingFields, kTtlHint, tagList, textInput } from './definition_form.js';
import { waitUntilActive } from './table_state.js';

const nothing = () => {};

/**
 * A part of the form. `read()`: what it says now, of which JSON can be made; `calls(now, before)`: what leads
 * there, [operation, input] each.
 */
function makePart(node, read, calls) {
  let before = JSON.stringify(read());
  return {
    node,
    get isChanged() { return JSON.stringify(read()) !== before; },
    calls: () => calls(read(), JSON.parse(before)),
    keep() { before = JSON.stringify(read()); },
  };
}

function update({ table }, members) {
  return ['UpdateTable', { TableName: table.TableName, ...members }];
}

function capacityPart(state) {
  const definition = definitionOf(state.table);
  const limits = state.table.OnDemandThroughput ?? {};
  const asText = (units) => (units > 0 ? String(units) : '');
  const most = { read: asText(limits.MaxReadRequestUnits), write: asText(limits.MaxWriteRequestUnits) };
  const limitInput = (member) => textInput(most, member, nothing, {
    inputmode: 'numeric', pattern: '[0-9]*', placeholder: 'No limit', class: 'short',
  });
  const limitFields = h('div', { class: 'row' },
    field('Maximum read units', limitInput('read')), field('Maximum write units', limitInput('write')));
  const global = definition.indexes.filter((index) => index.isGlobal);
  const wasOnDemand = definition.billing !== 'PROVISIONED';
  const changed = () => { limitFields.hidden = definition.billing === 'PROVISIONED'; };
  const node = h('div', { class: ['stack', 'tight'] }, billingFields(definition, changed), limitFields,
    wasOnDemand && global.length > 0 && h('p', { class: 'hint' },
      'If you choose provisioned capacity, the global indexes get the same units.'));
  const read = () => ({
    billing: definition.billing,
    ...(definition.billing === 'PROVISIONED' ? { read: definition.read, write: definition.write } : most),
  });
  return makePart(node, read, (now, before) => {
    const members = { BillingMode: now.billing };
    if (now.billing === 'PROVISIONED') {
      members.ProvisionedThroughput = throughput(now);
      if (before.billing !== 'PROVISIONED' && global.length > 0) {
        members.GlobalSecondaryIndexUpdates = global.map((index) => (
          { Update: { IndexName: index.name, ProvisionedThroughput: throughput(now) } }));
      }
    } else if (now.read || now.write || (before.billing === now.billing && (before.read || before.write))) {
      members.OnDemandThroughput = {
        MaxReadRequestUnits: Number(now.read) || -1, MaxWriteRequestUnits: Number(now.write) || -1,
      };
    }
    return [update(state, members)];
  });
}

function classPart(state) {
  const choice = select(kClasses, { value: definitionOf(state.table).tableClass });
  const node = field('Table class', choice, { hint: 'On AWS, the class sets the price. Magneto only stores it.' });
  return makePart(node, () => choice.value, (now) => [update(state, { TableClass: now })]);
}

function streamPart(state) {
  const view = select(kViews, { value: definitionOf(state.table).stream });
  const node = field('Stream', view, {
    hint: 'A new view type starts a new stream. Records of the old stream stay readable for 24 hours.',
  });
  return makePart(node, () => view.value, (now, before) => [
    ...(before ? [update(state, { StreamSpecification: { StreamEnabled: false } })] : []),
    ...(now ? [update(state, { StreamSpecification: { StreamEnabled: true, StreamViewType: now } })] : []),
  ]);
}

function ttlPart(state) {
  const { status, attribute } = state.ttl;
  const isOn = status === 'ENABLED' || status === 'ENABLING';
  const value = { attribute };
  const input = textInput(value, 'attribute', nothing, { required: true, readOnly: isOn });
  const name = field('Time to live attribute', input, { hint: kTtlHint });
  const switched = checkbox('Enable time to live', { checked: isOn, on: { change: () => show() } });
  const box = switched.querySelector('input');
  const show = () => {
    name.hidden = !box.checked && !isOn;
    input.disabled = name.hidden;
  };
  show();
  const node = h('div', { class: ['stack', 'tight'] }, switched, name);
  return makePart(node, () => box.checked, (now) => [
    ['UpdateTimeToLive', ttlInput(state.table.TableName, value.attribute, now)],
  ]);
}

function switchPart(label, isOn, calls) {
  const switched = checkbox(label, { checked: isOn });
  const box = switched.querySelector('input');
  return makePart(switched, () => box.checked, calls);
}

function protectionPart(state) {
  return switchPart('Deletion protection', Boolean(state.table.DeletionProtectionEnabled),
    (now) => [update(state, { DeletionProtectionEnabled: now })]);
}

function recoveryPart(state) {
  return switchPart('Point-in-time recovery', state.recovery.status === 'ENABLED', (now) => [
    ['UpdateContinuousBackups', {
      TableName: state.table.TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: now },
    }],
  ]);
}

function tagsPart(state) {
  const tags = state.tags.map(({ Key, Value }) => [Key, Value]);
  const ResourceArn = state.table.TableArn;
  return makePart(tagList(tags, nothing), () => tags, (now, before) => {
    const old = new Map(before);
    const kept = new Set(now.map(([key]) => key));
    const TagKeys = [...old.keys()].filter((key) => !kept.has(key));
    const Tags = now.filter(([key, value]) => old.get(key) !== value).map(([Key, Value]) => ({ Key, Value }));
    return [
      ...(TagKeys.length > 0 ? [['UntagResource', { ResourceArn, TagKeys }]] : []),
      ...(Tags.length > 0 ? [['TagResource', { ResourceArn, Tags }]] : []),
    ];
  });
}

// Resolves with the error of the call that failed, else null. A table takes one change at a time.
async function save(name, parts, saved) {
  for (const part of parts) {
    if (!part.isChanged) continue;
    for (const [operation, input] of part.calls()) {
      const { error } = await call(operation, input);
      if (error) return error;
      saved();
      if (operation === 'UpdateTable') await waitUntilActive(name);
    }
    part.keep();
  }
  return null;
}

/** Resolves with whether something was changed. `state` is what loadTable() returns. */
export async function editSettings(state) {
  const { TableName: name } = state.table;
  const groups = [
    ['Capacity and class', [capacityPart(state), classPart(state)]],
    ['Stream and time to live', [streamPart(state), ttlPart(state)]],
    ['Protection', [protectionPart(state), state.recovery && recoveryPart(state)].filter(Boolean)],
    ['Tags', [tagsPart(state)]],
  ];
  const parts = groups.flatMap(([, each]) => each);
  let isChanged = false;
  await dialog({
    title: `Settings of ${name}`,
    wide: true,
    content: (close) => {
      const answer = h('div', { 'aria-live': 'polite' });
      const saveButton = h('button', { class: 'primary', type: 'submit' }, 'Save');
      const submit = async (event) => {
        event.preventDefault();
        const error = await busy(saveButton, () => save(name, parts, () => { isChanged = true; }));
        if (error) replace(answer, errorBox(error));
        else close(true);
      };
      return h('form', { class: 'stack', on: { submit } },
        h('div', { class: 'setting-forms' }, groups.map(([title, each]) => h('fieldset', {}, h('legend', {}, title),
          h('div', { class: 'stack' }, each.map(({ node }) => node))))),
        answer,
        h('div', { class: 'actions' }, button('Cancel', () => close()), saveButton));
    },
  });
  return isChanged;
}
