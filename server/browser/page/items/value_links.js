// Behind a value in the panel: the items that have it as their key, here and in other tables.

import { catalog } from '../catalog.js';
import { h, replace } from '../dom.js';
import { button, dialog } from '../widgets.js';
import { tableModel } from '../query/table_model.js';
import { visible, preview } from '../values/preview.js';
import { contentOf, kKeyTypes, typeOf } from '../values/types.js';
import { linksFor, tablesFor } from './follow.js';

const kMaxTables = 100;

async function otherTables(model, name, value) {
  await catalog.load();
  const answers = await Promise.all(catalog.names.slice(0, kMaxTables).map((table) => catalog.describe(table)));
  return tablesFor(answers.filter(({ table }) => table).map(({ table }) => tableModel(table)), model.name, name, value);
}

function chooseTable(model, name, value) {
  return dialog({
    title: `Find ${preview(value, 30)}`,
    content: (close) => {
      const looking = h('li', { class: 'quiet' }, 'Looking \u2026');
      const list = h('ul', { class: 'plain-list', 'aria-live': 'polite' }, looking);
      const line = ({ label, key, href }) => h('li', {},
        h('a', { href, on: { click: () => close() } }, visible(label)), ' ',
        h('span', { class: 'quiet' }, `as ${visible(key)}`));
      const none = h('li', { class: 'quiet' }, 'No other table has a key of this type.');
      otherTables(model, name, value).then((found) => replace(list, found.length === 0 ? none : found.map(line)));
      return list;
    },
  });
}

export function valueLinks(model, name, value) {
  if (!kKeyTypes.includes(typeOf(value)) || contentOf(value) === '') return null;
  const link = ({ label, href }) => (
    h('a', { href, title: `All items with this ${visible(name)}` }, `\u2192 ${visible(label)}`));
  return h('span', { class: 'value-links' }, linksFor(model, name, value).map(link),
    button('\u2026', () => chooseTable(model, name, value), {
      class: 'plain small', 'aria-label': `Find this ${visible(name)} in other tables`,
      title: 'Find this value in other tables',
    }));
}
