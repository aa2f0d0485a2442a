// A table's stream, as it comes: changes at the left, the chosen one with both images at the right.

import { h, on, replace } from '../dom.js';
import { call } from '../client.js';
import { catalog } from '../catalog.js';
import { plural } from '../format.js';
import { shortcut } from '../keys.js';
import { hrefTo, navigate } from '../router.js';
import { loadStyle } from '../style_sheet.js';
import { itemsPath } from '../items/follow.js';
import { emptyChoice } from '../query/builder.js';
import { tableModel } from '../query/table_model.js';
import { contentOf } from '../values/types.js';
import { busy, emptyState, errorBox, notify, select } from '../widgets.js';
import { ChangeList } from './change_list.js';
import { kKinds } from './changes.js';
import { makeAnnouncer, makeGate, sleep, toggle } from './live_list.js';
import { StreamEnd, StreamReader, follow } from './stream_reader.js';

const kHiddenWait = 5000;  // milliseconds between reads while nobody looks
const kMostNotices = 4;

/** All streams of a table, the newest first; those that were switched off can be read for a day. */
async function streamsOf(table, signal) {
  const streams = [];
  let from;
  do {
    const input = { TableName: table, ...(from && { ExclusiveStartStreamArn: from }) };
    const { output, error } = await call('ListStreams', input, { signal });
    if (error) return { streams, error };
    streams.push(...output.Streams);
    from = output.LastEvaluatedStreamArn;
  } while (from);
  return { streams: streams.sort((a, b) => (a.StreamLabel < b.StreamLabel ? 1 : -1)), error: null };
}

function offerStream(table, main, again) {
  const switchOn = (event) => busy(event.currentTarget, async () => {
    const specification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    const { error } = await call('UpdateTable', { TableName: table, StreamSpecification: specification });
    catalog.forget(table);
    if (error) notify(`${error.type}: ${error.message}`, { kind: 'bad' });
    else again();
  });
  replace(main, emptyState('This table has no stream',
    'A stream keeps each change of an item for 24 hours. Writes continue while you enable it.',
    h('button', { class: 'primary', on: { click: switchOn } }, 'Enable with new and old images')));
}

const kNotices = {
  expired: ({ fromOldest }) => (fromOldest
    ? 'A shard iterator expired before the page read a record. '
      + 'The page now reads the shard from its oldest record, so the list may show older changes.'
    : null),  // nothing was lost: it went on behind the last record
  trimmed: () => 'The list lacks changes. The stream trims records after 24 hours, and the page had not read them.',
  closed: () => null,
  opened: () => null,
};

/** Sentences above the list that tell of gaps. */
function makeNotices() {
  const node = h('div', { class: 'notices', role: 'status' });
  const lines = [];
  return {
    node,
    add(notice) {
      const text = kNotices[notice.kind](notice);
      if (!text || lines.includes(text)) return;
      lines.push(text);
      if (lines.length > kMostNotices) lines.shift();
      replace(node, lines.map((line) => h('p', { class: 'notice' }, line)));
    },
  };
}

function kindSwitches(kinds, changed) {
  return Object.entries(kKinds).map(([kind, name]) => toggle(name, {
    on: true,
    title: kind,
    change: (wanted) => {
      kinds[wanted ? 'add' : 'delete'](kind);
      changed();
    },
  }).node);
}

function makeToolbar({ streams, arn, start, list, table, gate, filter, onPause }) {
  const status = h('span', { class: 'quiet', role: 'status' });
  const search = h('input', {
    type: 'search', placeholder: 'Key or attribute', 'aria-label': 'Show changes with this key or attribute',
    on: { input: () => { filter.text = search.value.trim(); list.rebuild(); } },
  });
  const pause = toggle('Pause', { change: (paused) => {
    if (paused) gate.close();
    else gate.release();
    pause.node.textContent = paused ? 'Resume' : 'Pause';
    onPause();
  } });
  const path = (query) => `tables/${encodeURIComponent(table)}/stream?${new URLSearchParams(query)}`;
  const from = select([['LATEST', 'From now'], ['TRIM_HORIZON', 'From the oldest record']], {
    value: start, 'aria-label': 'Start position',
    on: { change: () => navigate(path({ from: from.value, stream: arn })) },
  });
  const which = streams.length > 1 && select(streams.map(({ StreamArn, StreamLabel }) => [StreamArn, StreamLabel]), {
    value: arn, 'aria-label': 'Stream',
    on: { change: () => navigate(path({ from: 'TRIM_HORIZON', stream: which.value })) },
  });
  const follows = toggle('Follow newest', { on: true, change: (value) => list.setFollowing(value) });
  list.onFollowing = (value) => value !== follows.isOn && follows.set(value);
  const clear = h('button', { on: { click: () => list.clear() } }, 'Clear');
  const node = h('div', {},
    h('div', { class: 'toolbar' }, h('h1', {}, 'Stream'), status, follows.node, pause.node, clear),
    h('div', { class: ['toolbar', 'filter-line'] }, from, which, search,
      h('span', { class: 'row' }, kindSwitches(filter.kinds, () => list.rebuild()))));
  return { node, status, pause, search };
}

export const room = {
  title: () => 'Stream',

  async show({ table, query }, { main, signal }) {
    await loadStyle('live/live.css');
    const again = () => room.show({ table, query: new URLSearchParams() }, { main, signal });
    const { streams, error } = await streamsOf(table, signal);
    if (error) {
      replace(main, errorBox(error, again));
      return;
    }
    if (streams.length === 0) {
      offerStream(table, main, again);
      return;
    }
    const arn = streams.find(({ StreamArn }) => StreamArn === query.get('stream'))?.StreamArn ?? streams[0].StreamArn;
    const start = query.get('from') === 'TRIM_HORIZON' ? 'TRIM_HORIZON' : 'LATEST';
    const { table: description } = await catalog.describe(table, { signal });
    watch({ main, signal, table, streams, arn, start, itemAddress: addresses(table, description) });
  },
};

/** Of the items of a table, by their keys; of the table alone when it is gone. */
function addresses(table, description) {
  if (!description) return () => hrefTo(`tables/${encodeURIComponent(table)}/items`);
  const { partition: [hash], sort: [range] } = tableModel(description).sources[0];
  return (keys) => hrefTo(itemsPath(table, {
    ...emptyChoice(null),
    partition: [contentOf(keys[hash.name])],
    sort: range ? [{ operator: '=', value: contentOf(keys[range.name]) }] : [],
  }));
}

function watch({ main, signal, table, streams, arn, start, itemAddress }) {
  const filter = { text: '', kinds: new Set(Object.keys(kKinds)) };
  const gate = makeGate(signal);
  const list = new ChangeList({ table, filter, itemAddress });
  const notices = makeNotices();
  const bar = makeToolbar({ streams, arn, start, list, table, gate, filter, onPause: () => say() });
  const said = h('span', { class: 'off-screen', 'aria-live': 'polite' });
  const announcer = makeAnnouncer((count) => { said.textContent = `${plural(count, 'change')} received`; });
  on(signal, 'abort', announcer.stop);
  replace(main, h('div', { class: 'live' }, bar.node, notices.node, said, list.node));
  shortcut('p', 'Pause or resume', () => bar.pause.set(!bar.pause.isOn), { signal, group: 'In a stream' });
  shortcut('f', 'Search the changes', () => bar.search.focus(), { signal, group: 'In a stream' });
  shortcut('x', 'Clear the list', () => list.clear(), { signal, group: 'In a stream' });
  const reader = new StreamReader({
    arn, call, start,
    onRecords: (records, shard) => {
      list.add(records, shard);
      announcer.count(records.length);
    },
    onNotice: (notice) => notices.add(notice),
  });
  let trouble = null;
  const say = () => {
    const state = trouble ?? (bar.pause.isOn ? 'Paused' : `Reading ${plural(reader.openShards, 'shard')}`);
    const text = `${state} · ${list.countText()}`;
    if (bar.status.textContent !== text) bar.status.textContent = text;
  };
  list.onCount = say;
  const wait = (milliseconds) => sleep(document.hidden ? Math.max(milliseconds, kHiddenWait) : milliseconds, signal);
  follow(reader, {
    signal, sleep: wait, gate: () => gate.open(), onRound: say,
    onTrouble: (sentence) => { trouble = sentence && `${sentence} Trying again.`; },
  }).catch((error) => {
    if (!(error instanceof StreamEnd)) throw error;
    trouble = error.reason === 'gone' ? 'The stream no longer exists. The table was deleted, or the server restarted.'
      : error.message;
    say();
  });
}
