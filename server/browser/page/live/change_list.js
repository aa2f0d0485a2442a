// The changes that came, newest first, and the chosen one. Bounded: the oldest are dropped.

import { h, replace } from '../dom.js';
import { call } from '../client.js';
import { number, plural, time } from '../format.js';
import { notify } from '../widgets.js';
import { changeMatches, changeOf, inOrder, keyText, keyValues, kKinds, recordBytes, summary } from './changes.js';
import { changeView, kBadges } from './change_view.js';
import { makeFrames } from './live_list.js';
import { Ring } from './ring.js';

const kKept = { count: 5000, bytes: 32 << 20 };
const kRows = 200;  // in the page at once

export class ChangeList {
  #ring = new Ring(kKept);
  #fresh = [];       // came since the page was updated, oldest first
  #chosen = null;
  #following = true;
  #rowOf = new WeakMap();
  #seen = 0;
  onCount = () => {};
  onFollowing = () => {};

  /** `itemAddress(keys)`: where the item is shown, as an address of this page. */
  constructor({ table, filter, itemAddress }) {
    Object.assign(this, { table, filter, itemAddress });
    this.rows = h('tbody', { on: { keydown: (event) => this.#move(event) } });
    this.frames = makeFrames(this.rows, () => this.#update());
    this.more = h('p', { class: 'quiet body', hidden: true });
    this.empty = h('p', { class: 'quiet body' }, 'Changes show here as they come. Write an item to see one.');
    this.detail = h('section', { class: 'change', 'aria-label': 'The chosen change', tabindex: '0' });
    const columns = ['Time', 'Change', 'Key', 'Attributes'];
    this.node = h('div', { class: 'tail' },
      h('div', { class: 'changes of-stream scroll', tabindex: '0', role: 'group', 'aria-label': 'Changes' },
        h('table', { class: 'grid' }, h('caption', { class: 'off-screen' }, 'Changes, newest first'),
          h('thead', {}, h('tr', {}, columns.map((name) => h('th', { scope: 'col' }, name)))), this.rows),
        this.empty, this.more),
      this.detail);
  }

  add(records, shard) {
    for (const record of records) {
      const change = changeOf(record, shard);
      this.#ring.push(change, recordBytes(record));
      this.#fresh.push(change);
      ++this.#seen;
    }
    // What would not be shown anyway is not kept for the page.
    if (this.#fresh.length > kRows) this.#fresh.splice(0, this.#fresh.length - kRows);
    this.frames.soon();
  }

  countText() {
    const { length, dropped } = this.#ring;
    return `${plural(length, 'change')}${dropped > 0 ? `, ${number(dropped)} older ones dropped` : ''}`;
  }

  clear() {
    this.#ring.clear();
    this.#fresh = [];
    this.#chosen = null;
    this.#rebuild();
    replace(this.detail);
    this.onCount();
  }

  filterChanged() {
    this.#rebuild();
  }

  setFollowing(value) {
    if (this.#following === value) return;
    this.#following = value;
    this.onFollowing(value);
    const newest = value && this.#newestShown();
    if (newest) this.#choose(newest);
  }

  #newestShown() {
    for (const change of this.#ring.newest()) if (changeMatches(change, this.filter)) return change;
    return null;
  }

  #update() {
    // Shards are read in turn; what came at once is put in the order it was written.
    const wanted = this.#fresh.filter((change) => changeMatches(change, this.filter)).sort(inOrder);
    this.#fresh = [];
    this.rows.prepend(...wanted.map((change) => this.#row(change)).reverse());
    while (this.rows.childElementCount > kRows) this.rows.lastElementChild.remove();
    if (this.#following && wanted.length > 0) this.#choose(wanted.at(-1));
    this.#tellMore();
    this.onCount();
  }

  #rebuild() {
    const shown = [];
    for (const change of this.#ring.newest()) {
      if (!changeMatches(change, this.filter)) continue;
      shown.push(this.#row(change));
      if (shown.length === kRows) break;
    }
    this.#fresh = [];
    this.rows.replaceChildren(...shown);
    this.#tellMore();
  }

  #tellMore() {
    const full = this.rows.childElementCount === kRows && this.#ring.length > kRows;
    this.more.hidden = !full;
    this.more.textContent = full ? `The newest ${kRows} are shown. Search to see older ones.` : '';
    this.empty.hidden = this.rows.childElementCount > 0;
    this.empty.textContent = this.#ring.length > 0 ? 'No change matches.'
      : 'Changes show here as they come. Write an item to see one.';
  }

  #row(change) {
    const made = this.#rowOf.get(change);
    if (made) return made;
    const choose = () => {
      this.#choose(change);
      this.setFollowing(false);
    };
    const row = h('tr', { class: 'choice', on: { click: choose } },
      h('td', { class: 'time' }, time(change.at, { timeStyle: 'medium' })),
      h('td', {}, h('span', { class: ['badge', kBadges[change.kind]] }, kKinds[change.kind] ?? change.kind),
        change.byTimeToLive && h('span', { class: 'badge', title: 'Deleted by time to live' }, 'TTL')),
      h('td', {}, h('button', { class: 'link', title: keyText(change.keys) }, h('bdi', {}, keyValues(change.keys)))),
      h('td', { class: 'quiet', title: summary(change) }, summary(change)));
    this.#rowOf.set(change, row);
    return row;
  }

  #choose(change) {
    const old = this.#chosen && this.#rowOf.get(this.#chosen);
    old?.classList.remove('chosen');
    old?.querySelector('button').removeAttribute('aria-current');
    this.#chosen = change;
    const row = this.#row(change);
    row.classList.add('chosen');
    row.querySelector('button').setAttribute('aria-current', 'true');
    replace(this.detail, changeView(change, this.#actions(change)));
  }

  #actions(change) {
    if (change.kind !== 'REMOVE') return [h('a', { class: ['button', 'small'], href: this.itemAddress(change.keys) }, 'Open the item')];
    return change.before && [h('button', { class: 'small', on: { click: () => this.#putBack(change) } }, 'Restore the item')];
  }

  /** A deleted item is written again as it was, unless there is one with its key. */
  async #putBack({ before, keys }) {
    const { error } = await call('PutItem', {
      TableName: this.table, Item: before,
      ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': Object.keys(keys)[0] },
    });
    if (!error) notify('The item is restored.', { kind: 'good' });
    else if (error.type === 'ConditionalCheckFailedException') notify('An item with this key exists again; it was not changed.', { kind: 'bad' });
    else notify(`${error.type}: ${error.message}`, { kind: 'bad' });
  }

  #move(event) {
    const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    const button = to && event.target.closest('tr')?.[to]?.querySelector('button');
    if (!button) return;
    event.preventDefault();
    button.focus();
    button.click();
  }
}
