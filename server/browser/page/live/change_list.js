// The changes that came, newest first, and the chosen one. Bounded: the oldest are dropped.

import { h } from '../dom.js';
import { call } from '../client.js';
import { number, plural, time } from '../format.js';
import { notify } from '../widgets.js';
import { changeMatches, changeOf, inOrder, keyText, keyValues, kKinds, recordBytes, summary } from './changes.js';
import { changeView, kBadges } from './change_view.js';
import { NewestList } from './newest_list.js';

const kNone = 'Changes appear here as they arrive. Write an item to see one.';

export class ChangeList extends NewestList {
  #following = true;
  onCount = () => {};
  onFollowing = () => {};

  /** `itemAddress(keys)`: where the item is shown, as an address of this page. */
  constructor({ table, filter, itemAddress }) {
    super({
      limits: { count: 5000, bytes: 32 << 20 }, rowLimit: 200,
      label: 'Changes', columns: ['Time', 'Change', 'Key', 'Attributes'],
      classes: { scroll: 'of-stream', below: 'quiet' },
      chosen: { class: 'change', 'aria-label': 'Selected change' },
      order: inOrder,  // shards are read in turn
    });
    Object.assign(this, { table, filter, itemAddress });
    this.tell();
  }

  add(records, shard) {
    for (const record of records) this.push(changeOf(record, shard), recordBytes(record));
    this.frames.soon();
  }

  countText() {
    const { length, dropped } = this.ring;
    return `${plural(length, 'change')}${dropped > 0 ? `, ${number(dropped)} older changes dropped` : ''}`;
  }

  clear() {
    super.clear();
    this.onCount();
  }

  setFollowing(value) {
    if (this.#following === value) return;
    this.#following = value;
    this.onFollowing(value);
    const [newest] = value ? this.wanted() : [];
    if (newest) this.choose(newest);
  }

  update() {
    const newest = super.update();
    if (this.#following && newest) this.choose(newest);
    this.onCount();
  }

  matches(change) {
    return changeMatches(change, this.filter);
  }

  tell() {
    const { length } = this.ring;
    const shown = this.rows.childElementCount;
    this.below.hidden = shown < this.rowLimit || length <= this.rowLimit;
    this.below.textContent = `The list shows the newest ${this.rowLimit} changes. Search to find older ones.`;
    this.empty.hidden = shown > 0;
    this.empty.textContent = length > 0 ? 'No change matches.' : kNone;
  }

  picked(change) {
    super.picked(change);
    this.setFollowing(false);
  }

  cells(change) {
    return [
      h('td', { class: 'time' }, time(change.at, { timeStyle: 'medium' })),
      h('td', {}, h('span', { class: ['badge', kBadges[change.kind]] }, kKinds[change.kind] ?? change.kind),
        change.byTimeToLive && h('span', { class: 'badge', title: 'Deleted by time to live' }, 'TTL')),
      h('td', {}, h('button', { class: 'link', title: keyText(change.keys) }, h('bdi', {}, keyValues(change.keys)))),
      h('td', { class: 'quiet', title: summary(change) }, summary(change)),
    ];
  }

  contents(change) {
    return changeView(change, this.#actions(change));
  }

  #actions(change) {
    if (change.kind !== 'REMOVE') {
      return h('a', { class: ['button', 'small'], href: this.itemAddress(change.keys) }, 'Open the item');
    }
    return change.before
      && h('button', { class: 'small', on: { click: () => this.#putBack(change) } }, 'Restore the item');
  }

  /** A deleted item is written again as it was, unless there is one with its key. */
  async #putBack({ before, keys }) {
    const { error } = await call('PutItem', {
      TableName: this.table, Item: before,
      ConditionExpression: 'attribute_not_exists(#key)', ExpressionAttributeNames: { '#key': Object.keys(keys)[0] },
    });
    if (!error) {
      notify('The item is restored.', { kind: 'good' });
      return;
    }
    const exists = error.type === 'ConditionalCheckFailedException';
    notify(exists ? 'The table has a new item with this key. The old item was not restored.'
      : `${error.type}: ${error.message}`, { kind: 'bad' });
  }
}
