// Somebody else changed the item that is being saved: what is theirs, what is mine.

import { h } from '../dom.js';
import { button, tableHead } from '../widgets.js';
import { findChanges } from '../values/change.js';
import { withValue, without } from '../values/edit.js';
import { preview, visible } from '../values/preview.js';
import { describePath } from '../values/typed.js';
import { typeOf } from '../values/types.js';

const shown = (value) => (value ? preview(value, 60) : h('span', { class: 'quiet' }, 'absent'));

export const conflictTitle = (current) => (
  `Another client ${current ? 'changed' : 'deleted'} this item after you read it`);

// current: what is there now, null when it is gone; choose: {theirs(), mine()}.
export function conflictView(before, after, current, choose) {
  const theirs = current ? findChanges(before, current) : [];
  const mine = new Map(findChanges(before, after).map((change) => [JSON.stringify(change.path), change]));
  const mineAt = (path) => {
    const change = mine.get(JSON.stringify(path));
    return change ? shown(change.after) : h('span', { class: 'quiet' }, 'not changed');
  };
  const rows = theirs.map(({ path, before: was, after: now }) => h('tr', {},
    h('th', { scope: 'row' }, visible(describePath(path))), h('td', {}, shown(was)), h('td', {}, shown(now)),
    h('td', {}, mineAt(path))));
  return h('div', { class: 'error', role: 'alert' },
    h('strong', {}, conflictTitle(current)),
    h('p', {}, 'Nothing was saved, and nothing was overwritten.'),
    rows.length > 0 && h('table', { class: 'grid conflict' },
      tableHead(['Attribute', 'You read', 'Current', 'Your change']), h('tbody', {}, rows)),
    h('div', { class: 'row' },
      button(current ? 'Apply my changes to the current item' : 'Create the item again', choose.mine),
      button(current ? 'Discard my changes' : 'Keep it deleted', choose.theirs)));
}

const parentIsMap = (item, path) => {
  let value = { M: item };
  for (const step of path.slice(0, -1)) {
    if (typeOf(value) !== 'M' || !Object.hasOwn(value.M, step)) return false;
    value = value.M[step];
  }
  return typeOf(value) === 'M';
};

// What was changed from before to after, done to current.
export function rebased(before, after, current) {
  return findChanges(before, after).reduce((item, { path, after: now }) => {
    if (!parentIsMap(item, path)) {
      // The map it was in is gone: all of that comes back as mine.
      const [name] = path;
      return Object.hasOwn(after, name) ? withValue(item, [name], after[name]) : item;
    }
    return now ? withValue(item, path, now) : without(item, path);
  }, current);
}
