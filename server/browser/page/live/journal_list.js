// The requests that came, newest first, and the chosen one. Bounded: the oldest are dropped.

import { h, replace } from '../dom.js';
import { bytes, clock, duration, number, plural, time } from '../format.js';
import { copyButton } from '../widgets.js';
import { visible } from '../values/preview.js';
import { hasFailed, unitsOf } from './journal_reader.js';
import { NewestList } from './newest_list.js';

const kBytesOfARecord = 1000;
const kNone = 'Requests appear here when the server has answered them.';

const sizeOf = (record) => kBytesOfARecord
  + (record.request || record.response ? 2 * (record.request_bytes + record.response_bytes) : 0);
const unitText = (count) => number(count, { maximumFractionDigits: 2 });
const resultText = ({ status, error }) => [status ?? 'no answer', error].filter(Boolean).join(' ');
/** Reads that returned less than half of what they read. */
const wastes = ({ plan }) => Boolean(plan) && plan.read > 10 && plan.returned * 2 < plan.read;

/** What was returned of what was read; a dash where nothing was read. */
function planText({ plan }) {
  if (!plan || plan.read === 0) return '–';
  return plan.read === plan.returned ? number(plan.read) : `${number(plan.returned)} of ${number(plan.read)}`;
}

export class RecordList extends NewestList {
  #paused = false;

  /** `matches(record)`: whether the filter lets it through; `switchOn()`: records requests from now on. */
  constructor({ matches, switchOn }) {
    super({
      limits: { count: 10000, bytes: 32 << 20 }, rowLimit: 300,
      label: 'Requests',
      columns: ['Time', 'Operation', 'Table', 'Result', ['Duration'], ['Returned / read'], ['Units'], 'Caller'],
      classes: { node: 'records', table: 'words' },
      chosen: { class: 'change record', 'aria-label': 'Selected request', hidden: true },
    });
    this.matches = matches;
    replace(this.below, h('button', { on: { click: switchOn } }, 'Record requests'));
    this.tell();
  }

  get count() {
    return this.ring.length;
  }

  get newestNumber() {
    for (const { number: newest } of this.ring.newest()) return newest;
    return 0;
  }

  /** Whether requests are recorded; undefined when the server does not say. */
  setOn(isOn) {
    this.isOn = isOn;
    this.tell();
  }

  add(records) {
    for (const record of records) this.push(record, sizeOf(record));
    if (!this.#paused) this.frames.soon();
  }

  setPaused(value) {
    this.#paused = value;
    // What came before a pause shows, and what comes after it does not.
    this.frames.now();
  }

  tell() {
    const { length } = this.ring;
    this.empty.hidden = this.rows.childElementCount > 0;
    const unread = this.isOn === false ? 'The server does not record requests.' : kNone;
    this.empty.textContent = length > 0 ? `None of the ${plural(length, 'request')} matches.` : unread;
    this.below.hidden = this.isOn === true || (this.isOn === undefined && length > 0);
  }

  cells(record) {
    return [
      h('td', { class: 'time' }, clock(record.at)),
      h('td', {}, h('button', { class: 'link' }, record.operation)),
      h('td', {}, visible(record.table ?? ''),
        record.index && h('span', { class: 'quiet' }, ` ${visible(record.index)}`)),
      h('td', {}, hasFailed(record) ? h('span', { class: 'bad' }, resultText(record)) : String(record.status)),
      h('td', { class: 'number' }, duration(record.milliseconds)),
      h('td', { class: ['number', wastes(record) && 'warn'] }, planText(record)),
      h('td', { class: 'number' }, unitText(unitsOf(record))),
      h('td', { class: 'quiet' }, visible(record.caller?.access_key ?? '')),
    ];
  }

  contents(record) {
    return recordView(record, () => this.close());
  }

  choose(record) {
    super.choose(record);
    this.detail.hidden = false;
    this.node.classList.add('open');
  }

  close() {
    super.close();
    this.detail.hidden = true;
    this.node.classList.remove('open');
  }
}

function body(label, content) {
  if (content === undefined || content === null) return null;
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  return h('section', {}, h('div', { class: 'toolbar' }, h('h3', { class: 'grow' }, label), copyButton(text)),
    h('pre', { class: 'code', tabindex: '0', 'aria-label': label }, text.slice(0, 100_000)));
}

function recordView(record, close) {
  const { caller = {}, plan, consumed } = record;
  const facts = [
    ['Number', number(record.number)], ['Time', time(new Date(record.at))], ['Namespace', record.namespace],
    ['Table', record.tables?.join(', ') ?? record.table], ['Index', record.index],
    ['Keys', record.keys?.map(({ key, writes }) => `${JSON.stringify(key)}${writes ? ' written' : ''}`).join(', ')],
    ['Fault rules applied', record.faults?.join(', ')], ['Result', resultText(record)],
    ['Duration', duration(record.milliseconds)],
    ['Read', plan && `${plural(plan.read, 'item')}, ${bytes(plan.bytes_read ?? 0)}`],
    ['Returned', plan && plural(plan.returned, 'item')],
    ['Units', consumed && `${unitText(consumed.read_units ?? 0)} read, ${unitText(consumed.write_units ?? 0)} write`],
    ['Caller', [caller.access_key, caller.region, caller.address].filter(Boolean).join(' · ')],
    ['Sizes', `request ${bytes(record.request_bytes)}, response ${bytes(record.response_bytes)}`],
    ['Request ID', record.request_id],
  ].filter(([, value]) => value);
  return [
    h('div', { class: 'toolbar' }, h('h2', { class: 'grow' }, record.operation),
      copyButton(() => JSON.stringify(record, null, 2), 'Copy as JSON'),
      h('button', { class: 'plain', 'aria-label': 'Close', on: { click: close } }, '×')),
    wastes(record) && h('p', { class: ['notice', 'warn'] },
      `The request read ${plural(plan.read, 'item')} and returned ${number(plan.returned)}. `
      + 'A key condition or an index reads fewer items.'),
    h('dl', { class: 'facts' }, facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, visible(String(value)))])),
    body('Request', record.request), body('Response', record.response),
    record.request === undefined && h('p', { class: 'hint' }, 'To see bodies, enable their recording in Settings.'),
  ];
}
