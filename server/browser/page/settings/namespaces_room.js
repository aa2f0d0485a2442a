// Namespaces, forks and snapshots: separate sets of tables for tests that run at the same time.

import { h, replace } from '../dom.js';
import { control, session } from '../client.js';
import { connectionDialog } from '../connection.js';
import { change, namespacePath } from '../control.js';
import { bytes, number, time } from '../format.js';
import { loadStyle } from '../style_sheet.js';
import {
  button, confirmDialog, copyButton, dialog, field, notAvailable, notify, select, tableHead,
} from '../widgets.js';
import { creationOf } from './setting_requests.js';
import { kDurationHint } from './durations.js';
import { restore } from './state_panel.js';

const kName = '[A-Za-z0-9_.\\-]{1,128}';
const kNameHint = 'Letters, digits and . _ -';

function fromText(from) {
  if (!from) return 'Empty';
  if (typeof from === 'string') return from;
  return from.namespace ? `Fork of ${from.namespace}` : `Fork of the snapshot ${from.snapshot}`;
}

/** Resolves with the body to send, or null. `from`: "", "namespace:NAME" or "snapshot:NAME". */
function creationDialog({ namespaces, snapshots, from = '' }) {
  const inputs = {
    name: h('input', {
      pattern: kName, placeholder: 'generated', autocomplete: 'off', spellcheck: 'false', autofocus: true,
    }),
    from: select([['', 'Empty'], ...namespaces.map(({ name }) => [`namespace:${name}`, `Fork of ${name}`]),
      ...snapshots.map(({ name }) => [`snapshot:${name}`, `Fork of the snapshot ${name}`])], { value: from }),
    port: select([['', 'None'], ['any', 'Any free port'], ['number', 'This port']]),
    portNumber: h('input', { type: 'number', min: '1', max: '65535', 'aria-label': 'Port', hidden: true }),
    expires: h('input', { placeholder: 'never', autocomplete: 'off' }),
  };
  inputs.port.addEventListener('change', () => { inputs.portNumber.hidden = inputs.port.value !== 'number'; });
  for (const node of Object.values(inputs)) node.addEventListener('input', () => node.setCustomValidity(''));
  return dialog({
    title: 'New namespace',
    content: (close) => h('form', {
      class: 'stack',
      on: { submit: (event) => {
        event.preventDefault();
        const texts = Object.fromEntries(Object.entries(inputs).map(([name, node]) => [name, node.value]));
        const { body, problem } = creationOf(texts);
        if (!problem) return close(body);
        inputs[problem.member].setCustomValidity(problem.message);
        return inputs[problem.member].reportValidity();
      } },
    },
    field('Name', inputs.name, { hint: kNameHint }), field('Initial content', inputs.from),
    field('Own port', h('div', { class: 'row' }, inputs.port, inputs.portNumber)),
    field('Delete when unused for', inputs.expires, { hint: kDurationHint }),
    h('div', { class: 'actions' }, button('Cancel', () => close()),
      h('button', { class: 'primary' }, 'Create'))),
  });
}

function snapshotDialog(namespaces) {
  const name = h('input', {
    pattern: kName, required: true, autocomplete: 'off', spellcheck: 'false', autofocus: true,
  });
  const of = select(namespaces.map((each) => each.name), { value: session.namespace });
  return dialog({
    title: 'Take a snapshot',
    content: (close) => h('form', { class: 'stack', on: { submit: (event) => {
      event.preventDefault();
      close({ name: name.value, namespace: of.value });
    } } }, field('Name', name, { hint: kNameHint }), field('Namespace', of),
    h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Take the snapshot'))),
  });
}

function table(caption, columns, rows) {
  return h('div', { class: ['panel', 'scroll'] }, h('table', { class: ['grid', 'words'] },
    h('caption', { class: 'off-screen' }, caption), tableHead(columns), h('tbody', {}, rows)));
}

class Room {
  namespaces = [];
  snapshots = [];

  constructor(main, signal) {
    Object.assign(this, { main, signal });
  }

  async load() {
    const ask = (path) => control('GET', path, undefined, { signal: this.signal });
    const [spaces, frozen] = await Promise.all([ask('/_/namespaces'), ask('/_/snapshots')]);
    if (this.signal.aborted) return;
    if (spaces.status !== 200) {
      replace(this.main, h('h1', {}, 'Namespaces'), notAvailable('The list of namespaces', spaces, connectionDialog));
      return;
    }
    this.namespaces = spaces.body.namespaces;
    this.snapshots = frozen.status === 200 ? frozen.body.snapshots : [];
    replace(this.main,
      h('div', { class: 'toolbar' }, h('h1', {}, 'Namespaces'),
        h('button', { class: 'primary', on: { click: () => this.create('') } }, 'New namespace')),
      h('p', { class: 'hint' },
        'Each namespace has its own tables, streams, clock and faults. A request selects its namespace by the header ',
        h('code', {}, 'X-Magneto-Namespace'), ', the access key or the port.'),
      this.namespacesTable(),
      h('div', { class: 'toolbar apart' }, h('h1', {}, 'Snapshots'),
        h('button', { on: { click: () => this.take() }, disabled: frozen.status !== 200 }, 'Take a snapshot')),
      frozen.status === 200 ? this.snapshotsTable() : notAvailable('The list of snapshots', frozen));
  }

  namespacesTable() {
    return table('Namespaces', ['Name', 'Initial content', ['Tables'], ['Memory'], 'Created', 'Address', 'Actions'],
      this.namespaces.map((each) => h('tr', { class: each.name === session.namespace ? 'chosen' : null },
        h('th', { scope: 'row' }, each.name,
          each.name === session.namespace && h('span', { class: 'badge' }, 'Current')),
        h('td', {}, fromText(each.from)),
        h('td', { class: 'number' }, number(each.tables ?? 0)),
        h('td', { class: 'number' }, bytes(each.memory_bytes ?? 0)),
        h('td', {}, time(new Date(each.created))),
        h('td', {}, each.endpoint ?? '–'),
        h('td', { class: 'row' }, this.namespaceActions(each)))));
  }

  namespaceActions({ name }) {
    const small = (label, run, kind = null) => h('button', {
      class: ['small', kind], 'aria-label': `${label} ${name}`, on: { click: run },
    }, label);
    return [
      name !== session.namespace && small('Switch to', () => session.setNamespace(name)),
      small('Fork', () => this.fork(name)),
      copyButton(`X-Magneto-Namespace: ${name}`, 'Copy header'),
      name !== 'main' && small('Delete', () => this.remove(name), 'danger'),
    ];
  }

  snapshotsTable() {
    if (this.snapshots.length === 0) {
      return h('p', { class: 'quiet' },
        'There are no snapshots yet. A snapshot keeps the state of a namespace. You can fork or restore it.');
    }
    return table('Snapshots', ['Name', 'Namespace', 'Created', 'Actions'], this.snapshots.map((each) => h('tr', {},
      h('th', { scope: 'row' }, each.name), h('td', {}, each.namespace ?? '–'),
      h('td', {}, each.created ? time(new Date(each.created)) : '–'),
      h('td', { class: 'row' },
        h('button', { class: 'small', on: { click: () => this.create(`snapshot:${each.name}`) } }, 'Fork'),
        h('button', { class: 'small', on: { click: () => restore(session.namespace, each.name) } },
          `Restore into ${session.namespace} …`),
        h('button', {
          class: ['small', 'danger'], 'aria-label': `Delete ${each.name}`,
          on: { click: () => this.removeSnapshot(each.name) },
        }, 'Delete')))));
  }

  /** At once, under a name that the server generates. */
  async fork(name) {
    const made = await change('POST', '/_/namespaces', { from: { namespace: name } });
    if (!made) return;
    await this.offer(made.name, `${made.name} was created as a fork of ${name}.`);
  }

  async create(from) {
    const body = await creationDialog({ namespaces: this.namespaces, snapshots: this.snapshots, from });
    const made = body && await change('POST', '/_/namespaces', body);
    if (!made) return;
    await this.offer(made.name, `${made.name} was created.`);
  }

  async offer(name, sentence) {
    const action = { label: 'Switch to it', run: () => session.setNamespace(name) };
    notify(sentence, { kind: 'good', action });
    await this.load();
  }

  async take() {
    const body = await snapshotDialog(this.namespaces);
    if (body && await change('POST', '/_/snapshots', body)) await this.load();
  }

  async remove(name) {
    const agreed = await confirmDialog({
      title: `Delete ${name}`,
      message: 'The server deletes the namespace with its tables, items and test controls. You cannot undo this.',
      confirm: 'Delete', danger: true,
    });
    if (!agreed || !await change('DELETE', namespacePath(name))) return;
    if (session.namespace === name) session.setNamespace('main');
    else await this.load();
  }

  async removeSnapshot(name) {
    const agreed = await confirmDialog({
      title: `Delete the snapshot ${name}`, message: 'The server keeps namespaces that are forks of this snapshot.',
      confirm: 'Delete', danger: true,
    });
    if (agreed && await change('DELETE', `/_/snapshots/${encodeURIComponent(name)}`)) await this.load();
  }
}

export const room = {
  title: () => 'Namespaces',

  async show(params, { main, signal }) {
    await loadStyle('settings/settings.css');
    await new Room(main, signal).load();
  },
};
