// Settle, truncate, reset and restore a namespace.

import { h, replace } from '../dom.js';
import { control } from '../client.js';
import { catalog } from '../catalog.js';
import { change, namespacePath } from '../control.js';
import { duration } from '../format.js';
import { busy, button, confirmDialog, dialog, field, notAvailable, notify, select } from '../widgets.js';

/** What the server says it did, as a sentence: {tables: ["a"], items: 3} -> "tables: a; items: 3". */
function doneText(body) {
  const textOf = (value) => {
    if (Array.isArray(value)) return value.join(', ');
    return typeof value === 'object' ? JSON.stringify(value) : value;
  };
  return Object.entries(body ?? {}).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${textOf(value)}`)
    .join('; ');
}

async function run(namespace, action, body, done) {
  const start = performance.now();
  const answer = await change('POST', namespacePath(namespace, action), body);
  if (!answer) return;
  const details = doneText(answer);
  notify(`${done} (${duration(performance.now() - start)})${details ? ` ${details}` : ''}`, { kind: 'good' });
  catalog.load();
}

/** With checkboxes: null when it was left, [] for all tables. */
function chooseTables(namespace, names) {
  return dialog({
    title: `Delete all items in ${namespace}`,
    content: (close) => {
      const boxes = names.map((name) => h('input', { type: 'checkbox', value: name, checked: true }));
      const submit = (event) => {
        event.preventDefault();
        const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
        close(chosen.length > 0 ? chosen : null);
      };
      return h('form', { class: 'stack', on: { submit } },
        h('p', {}, 'The server deletes all items of these tables and keeps the tables. You cannot undo this.'),
        h('div', { class: 'choices' }, boxes.map((box) => (
          h('label', { class: 'check' }, box, h('span', { class: 'mono' }, box.value))))),
        h('div', { class: 'actions' }, button('Cancel', () => close()),
          h('button', { class: 'danger' }, 'Delete the items')));
    },
  });
}

async function truncate(namespace) {
  const { names } = await catalog.load();
  if (names.length === 0) {
    notify('There are no tables.');
    return;
  }
  const tables = await chooseTables(namespace, names);
  if (!tables) return;
  await run(namespace, 'truncate', tables.length === names.length ? {} : { tables }, 'The items are deleted.');
}

async function reset(namespace) {
  const agreed = await confirmDialog({
    title: `Reset ${namespace}`,
    message: 'A fork returns to its initial state. Any other namespace loses all its tables. '
      + 'You cannot undo this.',
    confirm: 'Reset', danger: true, typed: namespace,
  });
  if (agreed) await run(namespace, 'reset', {}, `${namespace} was reset.`);
}

/** Asks for agreement, then puts a snapshot's tables and items in the place of those of a namespace. */
export async function restore(namespace, snapshot) {
  const agreed = await confirmDialog({
    title: `Restore ${namespace}`,
    message: `The snapshot ${snapshot} replaces all tables and items of ${namespace}. `
      + 'You cannot undo this.',
    confirm: 'Restore', danger: true, typed: namespace,
  });
  if (agreed) await run(namespace, 'restore', { snapshot }, `${namespace} was restored from ${snapshot}.`);
  return agreed;
}

export function statePanel({ namespace, signal }) {
  const body = h('div', { class: 'body stack' });
  const node = h('section', { class: 'panel setting', 'aria-label': 'State' }, h('header', {}, h('h2', {}, 'State')),
    h('p', { class: 'hint' },
      'These actions give tests a known state. Only a snapshot can restore deleted items and tables.'), body);
  const act = (label, action, kind) => (
    button(label, (event) => busy(event.currentTarget, action), { class: kind }));
  async function load() {
    const answer = await control('GET', namespacePath(namespace), undefined, { signal }).catch(() => null);
    if (!answer || signal.aborted) return;
    if (answer.status !== 200) {
      replace(body, notAvailable('The state control', answer));
      return;
    }
    const { status, body: listed } = await control('GET', '/_/snapshots', undefined, { signal });
    const snapshots = status === 200 ? listed.snapshots.map(({ name }) => name) : [];
    const choice = select(snapshots, { 'aria-label': 'Snapshot' });
    replace(body,
      h('div', { class: 'row' },
        act('Finish background work', () => run(namespace, 'settle', {}, 'All background work is done.')),
        h('span', { class: 'hint' }, 'Waits until indexes, streams and time to live are up to date')),
      h('div', { class: 'row' }, act('Delete all items …', () => truncate(namespace), 'danger'),
        act('Reset …', () => reset(namespace), 'danger')),
      snapshots.length > 0 && h('div', { class: 'row end' }, field('Restore from', choice),
        act('Restore …', () => restore(namespace, choice.value), 'danger')),
      status === 200 && snapshots.length === 0 && h('p', { class: 'row hint' },
        'There are no snapshots to restore from yet.',
        h('a', { class: ['button', 'small'], href: '#/namespaces' }, 'Take a snapshot')));
  }
  return { node, load };
}
