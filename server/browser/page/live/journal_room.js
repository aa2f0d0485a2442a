// The requests, as they are answered, from the server's journal: filters, what a request read and cost, assertions.

import { h, on, replace } from '../dom.js';
import { control, session } from '../client.js';
import { connectionDialog } from '../connection.js';
import { change } from '../control.js';
import { bytes, number, plural } from '../format.js';
import { shortcut } from '../keys.js';
import { kOperations } from '../operations.js';
import { loadStyle } from '../style_sheet.js';
import { answerProblem, busy, checkbox, confirmDialog, dialog, notAvailable, notify, select } from '../widgets.js';
import { assertDialog } from './journal_assert.js';
import { RecordList } from './journal_list.js';
import { JournalReader, hasFailed, journalAddress, journalPath, recordMatches } from './journal_reader.js';
import { sleep, toggle } from './live_list.js';

const kResults = [
  ['', 'Any result'], ['good', 'Success'], ['bad', 'Error or no response'], ['slow', 'Slower than 50 ms'],
];
const kIsOn = 'The server now records requests.';
const kSlow = 50;  // milliseconds
const kMostExported = 256 << 20;  // characters

function resultMatches(record, result) {
  if (result === 'good') return !hasFailed(record);
  if (result === 'bad') return hasFailed(record);
  return result !== 'slow' || record.milliseconds > kSlow;
}

/** What is shown of what was read: {text, operation, table, result, own}. */
function matches(record, filter) {
  if (filter.operation && record.operation !== filter.operation) return false;
  if (filter.table && record.table !== filter.table) return false;
  if (!filter.own && record.caller?.access_key === session.credentials.accessKeyId) return false;
  return resultMatches(record, filter.result) && (filter.text === '' || recordMatches(record, filter.text));
}

/** All that the server keeps, page by page, as it writes it. */
async function exportRecords(filter) {
  const filters = { operation: filter.operation, table: filter.table };
  const pages = [];
  let after = 0;
  let size = 0;
  while (size < kMostExported) {
    const address = journalAddress(session.namespace, { after, limit: 500, format: 'jsonl', filters });
    const answer = await control('GET', address);
    if (answer.status !== 200) {
      notify(answerProblem(answer), { kind: 'bad' });
      return;
    }
    const { text } = answer;
    const last = text.trimEnd().split('\n').at(-1);
    if (last === '') break;
    pages.push(text);
    size += text.length;
    after = JSON.parse(last).number;
  }
  const address = URL.createObjectURL(new Blob(pages, { type: 'application/x-ndjson' }));
  h('a', { href: address, download: `journal-${session.namespace}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function clear(list) {
  const agreed = await confirmDialog({
    title: 'Clear recorded requests',
    message: 'The server deletes the records of all requests in this namespace, for every client. '
      + 'The tables do not change.',
    confirm: 'Clear', danger: true,
  });
  if (!agreed) return;
  if (await change('DELETE', journalPath(session.namespace))) list.clear();
}

function settingsDialog(list) {
  const isOn = checkbox('Record requests', { checked: true });
  const bodies = checkbox('Record the bodies of requests and responses (they may contain secrets)');
  const sizes = [1 << 20, 16 << 20, 64 << 20].map((each) => [String(each), bytes(each)]);
  const size = select([['', 'Unchanged'], ...sizes], {});
  return dialog({
    title: 'Recording settings',
    content: (close) => h('form', {
      class: 'stack',
      on: { submit: async (event) => {
        event.preventDefault();
        const set = {
          on: isOn.firstChild.checked, bodies: bodies.firstChild.checked,
          ...(size.value && { bytes: Number(size.value) }),
        };
        if (!await change('PUT', journalPath(session.namespace), set)) return;
        close();
        list.setOn(set.on);
        notify(set.on ? kIsOn : 'The server no longer records requests.', { kind: 'good' });
      } },
    }, isOn, bodies, h('label', { class: 'row' }, 'Maximum size', size),
    h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Apply'))),
  });
}

/** Two lines: what can be done, and what chooses among the requests. */
function makeToolbar({ filter, list, changed }) {
  const set = (member, value) => {
    filter[member] = value;
    changed();
  };
  const search = h('input', {
    type: 'search', placeholder: 'Search', 'aria-label': 'Search requests', autocomplete: 'off',
    on: { input: () => set('text', search.value.trim()) },
  });
  const choice = (label, member, options) => {
    const node = select(options, {
      'aria-label': label, value: filter[member], on: { change: () => set(member, node.value) },
    });
    return node;
  };
  const tables = h('select', { 'aria-label': 'Table', on: { change: () => set('table', tables.value) } },
    h('option', { value: '' }, 'All tables'));
  const own = checkbox("Include this page's requests", {
    on: { change: () => set('own', own.firstChild.checked) },
  });
  const pause = toggle('Pause', { change: (paused) => {
    pause.node.textContent = paused ? 'Resume' : 'Pause';
    list.setPaused(paused);
  } });
  const status = h('span', { class: 'quiet', role: 'status' });
  const click = (label, run) => h('button', { on: { click: run } }, label);
  const node = h('div', {},
    h('div', { class: 'toolbar' }, h('h1', {}, 'Requests'), status, pause.node,
      click('Assertions', () => assertDialog(list.newestNumber)),
      click('Export', (event) => busy(event.currentTarget, () => exportRecords(filter))),
      click('Settings', () => settingsDialog(list)), click('Clear', () => clear(list))),
    h('div', { class: ['toolbar', 'filter-line'] }, search,
      choice('Operation', 'operation', [['', 'All operations'], ...kOperations]), tables,
      choice('Result', 'result', kResults), own));
  return { node, search, pause, status, tables };
}

/** Tables that records named are in the list to choose from. */
function learnTables(choice, known, records) {
  for (const { table } of records) {
    if (!table || known.has(table) || known.size >= 500) continue;
    known.add(table);
    choice.append(h('option', { value: table }, table));
  }
}

export const room = {
  title: () => 'Requests',

  async show({ query }, { main, signal }) {
    await loadStyle('live/live.css');
    const filter = { text: '', operation: '', table: query.get('table') ?? '', result: '', own: false };
    const switchOn = async () => {
      if (!await change('PUT', journalPath(session.namespace), { on: true })) return;
      list.setOn(true);
      notify(kIsOn, { kind: 'good' });
    };
    const list = new RecordList({ matches: (record) => matches(record, filter), switchOn });
    const bar = makeToolbar({ filter, list, changed: () => list.rebuild() });
    shortcut('p', 'Pause or resume', () => bar.pause.set(!bar.pause.isOn), { signal, group: 'In the requests' });
    shortcut('f', 'Search requests', () => bar.search.focus(), { signal, group: 'In the requests' });
    on(signal, 'abort', list.frames.stop);
    replace(main, h('div', { class: 'live' }, bar.node, list.node));
    listen({ main, signal, list, bar });
  },
};

/** Whether the server was started anew since this was last asked: numbers begin at 1 again then. */
function makeRestartWatch() {
  let started = session.status?.started;
  return async (signal) => {
    const { body } = await control('GET', '/_/status', undefined, { signal });
    const before = started;
    started = body?.started ?? started;
    return before !== undefined && started !== before;
  };
}

async function listen({ main, signal, list, bar }) {
  const reader = new JournalReader({ namespace: session.namespace, control });
  const wasRestarted = makeRestartWatch();
  const known = new Set();
  let missed = 0;
  let isFirst = true;
  let failures = 0;
  while (!signal.aborted) {
    if (failures > 0 && await wasRestarted(signal).catch(() => false)) {
      reader.after = 0;
      list.clear();
    }
    const answer = await reader.next({ signal }).catch(() => null);
    if (signal.aborted) return;
    if (answer?.status === 200) {
      failures = 0;
      missed += answer.missed;
      learnTables(bar.tables, known, answer.records);
      list.add(answer.records);
      list.setOn(answer.body.on);
      const lost = missed > 0 ? `, ${number(missed)} dropped before the page read them` : '';
      bar.status.textContent = `${plural(list.count, 'request')}${lost}`;
      // A server that does not wait is not to be asked without end.
      await sleep(answer.records.length > 0 ? 100 : 500, signal);
    } else if (isFirst || [401, 404].includes(answer?.status)) {
      replace(main, notAvailable('The request journal', answer ?? { status: 0 }, connectionDialog));
      return;
    } else {
      ++failures;
      bar.status.textContent = `${answer ? answerProblem(answer) : 'The server does not respond.'} Trying again.`;
      await sleep(Math.min(10_000, 500 * 2 ** failures), signal);
    }
    isFirst = false;
  }
}
