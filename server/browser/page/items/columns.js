// Which attributes have a column: remembered for each table, in this browser.

import { h } from '../dom.js';
import { button, dialog } from '../widgets.js';
import { visible } from '../values/preview.js';

const storeKey = (table) => `magneto-hidden-columns:${table}`;

export function hiddenColumns(table) {
  try {
    return new Set(JSON.parse(localStorage.getItem(storeKey(table)) ?? '[]'));
  } catch {
    return new Set();
  }
}

// -> the hidden ones, null when nothing is to change
export async function columnsDialog(table, names, hidden) {
  const boxes = names.map((name) => h('input', { type: 'checkbox', checked: !hidden.has(name) }));
  const all = (on) => () => boxes.forEach((box) => { box.checked = on; });
  const chosen = await dialog({
    title: 'Columns',
    content: (close) => h('form', { class: 'stack', on: { submit: (event) => {
      event.preventDefault();
      close(true);
    } } },
    h('div', { class: 'column-list' }, names.map((name, index) => (
      h('label', { class: 'check mono' }, boxes[index], visible(name))))),
    h('div', { class: 'actions' },
      button('All', all(true)),
      button('None', all(false)),
      h('button', { type: 'submit', class: 'primary' }, 'Show'))),
  });
  if (!chosen) return null;
  const result = new Set([...hidden].filter((name) => !names.includes(name)));
  names.forEach((name, index) => { if (!boxes[index].checked) result.add(name); });
  try {
    localStorage.setItem(storeKey(table), JSON.stringify([...result]));
  } catch {
    // Nowhere to keep it: it holds as long as the page.
  }
  return result;
}
