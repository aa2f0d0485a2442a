// The form of a table, and of an index: inputs that write into a definition (definition.js) at once.
// `changed` is called after each change.

import { h, replace } from '../dom.js';
import { button, checkbox, field, select } from '../widgets.js';
import {
  emptyIndex, kBilling, kClasses, kProjections, kTypes, kViews,
} from './definition.js';

const kMostKeys = 4; // attributes of either kind in a global index
export const kTtlHint = 'The attribute with the expiry time in Unix epoch seconds. '
  + 'Expired items stay readable for ten seconds, unless you set --ttl-delay-ms.';

export function textInput(owner, member, changed, props = {}) {
  const input = h('input', {
    value: owner[member], autocomplete: 'off', spellcheck: 'false', ...props,
    on: {
      input: () => {
        owner[member] = input.value;
        changed();
      },
    },
  });
  return input;
}

function choice(owner, member, options, changed, props = {}) {
  const input = select(options, {
    value: owner[member], ...props,
    on: {
      change: () => {
        owner[member] = input.value;
        changed();
      },
    },
  });
  return input;
}

function removeButton(label, run) {
  return button('×', run, { class: 'plain', 'aria-label': label, title: label });
}

// One attribute of a key. `remove` takes it away.
function keyRow(key, label, changed, remove = null) {
  return h('div', { class: 'key-row' },
    textInput(key, 'name', changed, { 'aria-label': label, placeholder: label, required: true }),
    choice(key, 'type', kTypes, changed, { 'aria-label': `Type of the ${label.toLowerCase()}` }),
    remove && removeButton(`Remove the ${label.toLowerCase()}`, remove));
}

// The attributes of one kind: at least `least`, at most `most` of them.
function keyList(keys, label, { least, most }, changed) {
  const node = h('div', { class: 'stack tight' });
  const addText = () => (keys.length === 0 ? `Add a ${label.toLowerCase()}` : 'Add an attribute');
  const show = () => replace(node,
    keys.map((key, index) => keyRow(key, label, changed, keys.length > least ? () => {
      keys.splice(index, 1);
      show();
      changed();
    } : null)),
    keys.length < most && h('div', {}, button(addText(), () => {
      keys.push({ name: '', type: 'S' });
      show();
      node.querySelector('.key-row:last-of-type input')?.focus();
      changed();
    }, { class: 'small' })));
  show();
  return node;
}

function group(label, content) {
  return h('div', { class: 'field', role: 'group', 'aria-label': label },
    h('span', { class: 'label' }, label), content);
}

function unitFields(owner, changed, prefix = '') {
  const units = (member, label) => field(prefix + label, textInput(owner, member, changed, {
    inputmode: 'numeric', pattern: '[0-9]+', required: true, class: 'short',
  }));
  return h('div', { class: 'row' }, units('read', 'Read units'), units('write', 'Write units'));
}

// An attribute on each line of text.
function projectionFields(index, changed) {
  const attributes = h('textarea', {
    rows: '3', spellcheck: 'false', value: index.attributes.join('\n'), required: true,
    on: {
      input: () => {
        index.attributes = attributes.value.split('\n').map((line) => line.trim()).filter(Boolean);
        changed();
      },
    },
  });
  const node = field('Attributes', attributes, { hint: 'One per line' });
  const show = () => {
    node.hidden = index.projection !== 'INCLUDE';
    attributes.disabled = node.hidden;
    changed();
  };
  return [field('Projection', choice(index, 'projection', kProjections, show)), node, show];
}

// `definition` tells how the table is billed, and its partition key.
export function indexFields(index, definition, changed) {
  const [projection, attributes, showAttributes] = projectionFields(index, changed);
  const many = { least: 1, most: kMostKeys };
  showAttributes();
  return h('div', { class: 'columns' },
    field('Name', textInput(index, 'name', changed, { required: true })),
    index.isGlobal
      ? group('Partition key', keyList(index.hash, 'Partition key', many, changed))
      : group('Partition key', h('span', { class: 'quiet' }, 'The partition key of the table')),
    group('Sort key', keyList(index.range, 'Sort key',
      index.isGlobal ? { least: 0, most: kMostKeys } : { least: 1, most: 1 }, changed)),
    h('div', { class: 'stack tight' }, projection, attributes),
    index.isGlobal && definition.billing === 'PROVISIONED' && unitFields(index, changed));
}

function indexPanel(index, definition, changed, remove) {
  const title = index.isGlobal ? 'Global index' : 'Local index';
  return h('fieldset', {}, h('legend', {}, title), indexFields(index, definition, changed),
    h('div', { class: 'actions' }, button('Remove the index', remove, { class: 'small' })));
}

// One of the table that is copied: it is kept as it is, or left out.
function otherPanel(index, remove) {
  return h('fieldset', {}, h('legend', {}, `${index.kind} index`),
    h('p', {}, h('strong', {}, index.name), h('span', { class: 'quiet' }, ` · ${index.text}`)),
    h('div', { class: 'actions' }, button('Remove the index', remove, { class: 'small' })));
}

function indexList(definition, changed) {
  const node = h('div', { class: 'stack' });
  const add = (isGlobal) => () => {
    const index = emptyIndex(isGlobal);
    if (!isGlobal) index.range.push({ name: '', type: 'S' });
    definition.indexes.push(index);
    show();
    node.querySelector('fieldset:last-of-type input')?.focus();
    changed();
  };
  const removes = (list, position) => () => {
    list.splice(position, 1);
    show();
    changed();
  };
  const show = () => replace(node,
    definition.indexes.map((index, position) => (
      indexPanel(index, definition, changed, removes(definition.indexes, position)))),
    definition.others.map((index, position) => otherPanel(index, removes(definition.others, position))),
    h('div', { class: 'row' },
      button('Add a global index', add(true)),
      button('Add a local index', add(false))));
  show();
  return { node, show };
}

export function tagList(tags, changed) {
  const node = h('div', { class: 'stack tight' });
  const show = () => replace(node,
    tags.map((tag, index) => h('div', { class: 'key-row' },
      textInput(tag, 0, changed, { 'aria-label': 'Tag key', placeholder: 'Key', required: true }),
      textInput(tag, 1, changed, { 'aria-label': 'Tag value', placeholder: 'Value' }),
      removeButton('Remove the tag', () => {
        tags.splice(index, 1);
        show();
        changed();
      }))),
    h('div', {}, button('Add a tag', () => {
      tags.push(['', '']);
      show();
      node.querySelector('.key-row:last-of-type input')?.focus();
      changed();
    }, { class: 'small' })));
  show();
  return node;
}

// Billing and, where it is provisioned, the units.
export function billingFields(definition, changed) {
  const units = unitFields(definition, changed);
  const show = () => {
    units.hidden = definition.billing !== 'PROVISIONED';
    for (const input of units.querySelectorAll('input')) input.disabled = units.hidden;
    changed();
  };
  const node = h('div', { class: 'stack tight' },
    field('Capacity', choice(definition, 'billing', kBilling, show)), units);
  show();
  return node;
}

export function definitionForm(definition, changed) {
  const indexes = indexList(definition, changed);
  let billing = definition.billing;
  const billed = () => {
    if (billing !== definition.billing) indexes.show();
    billing = definition.billing;
    changed();
  };
  const protection = checkbox('Protect the table from deletion', {
    checked: definition.isProtected,
    on: {
      change: (event) => {
        definition.isProtected = event.target.checked;
        changed();
      },
    },
  });
  const one = { least: 1, most: 1 };
  return [
    h('div', { class: 'columns' },
      field('Table name', textInput(definition, 'name', changed, { required: true, autofocus: true })),
      group('Partition key', keyList(definition.hash, 'Partition key', one, changed)),
      group('Sort key', keyList(definition.range, 'Sort key', { least: 0, most: 1 }, changed))),
    h('section', { class: 'stack', 'aria-label': 'Indexes' }, h('h2', {}, 'Indexes'), indexes.node),
    h('section', { class: 'stack', 'aria-label': 'Settings' }, h('h2', {}, 'Settings'),
      h('div', { class: 'columns' },
        billingFields(definition, billed),
        field('Stream', choice(definition, 'stream', kViews, changed)),
        field('Time to live', textInput(definition, 'ttl', changed, { placeholder: 'None' }),
          { hint: kTtlHint }),
        field('Table class', choice(definition, 'tableClass', kClasses, changed)),
        group('Deletion protection', protection),
        group('Tags', tagList(definition.tags, changed)))),
  ];
}
