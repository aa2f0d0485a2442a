// The cells of the grid, from values.

import { h } from '../dom.js';
import { preview, visible } from '../values/preview.js';
import { contentOf, typeOf } from '../values/types.js';

const kPreview = 110;
const kWas = 40;
const kPlainTypes = ['S', 'N', 'BOOL', 'NULL']; // that show what they are

// Empty texts are shown as such; null where there is no value.
export function textOf(value) {
  if (!value) return null;
  return preview(value, kPreview) || (contentOf(value) === '' ? '""' : '');
}

const wasText = (change) => (change.before ? preview(change.before, kWas) || '""' : 'absent');

// change: {before, after} where the value is not saved yet; address: where the value leads, or null.
export function valueCell(name, value, { text, address, change, readOnly }) {
  const props = {
    tabindex: '-1', dataset: { name }, 'aria-readonly': readOnly === undefined ? null : String(readOnly),
  };
  if (!value) return h('td', { ...props, class: 'absent' });
  const type = typeOf(value);
  const told = change && `Not saved yet. It was ${wasText(change)}.`;
  return h('td', { ...props, class: [`type-${type}`, change && 'pending'], title: told ?? null },
    address && !change
      ? h('a', { href: address, tabindex: '-1', title: `All items with this ${visible(name)}` }, text) : text,
    !kPlainTypes.includes(type) && h('span', { class: 'type' }, type),
    told && h('span', { class: 'off-screen' }, `. ${told}`));
}
