// Deleting many items: first what will go, then how far it is, then the way back.

import { call } from '../client.js';
import { h, replace } from '../dom.js';
import { number, plural, units } from '../format.js';
import { button, dialog, errorBox, notify, tableHead, undo } from '../widgets.js';
import { keyOf } from '../values/change.js';
import { preview, visible } from '../values/preview.js';
import { itemBytes } from '../values/types.js';
import { restore } from './removal.js';
import { kMaxUndo, removeItems } from './writes.js';

const kExamples = 10;
const kReadAhead = 100_000; // keys that are held to be deleted

const writeUnits = (item) => Math.max(1, Math.ceil(itemBytes(item) / 1024));

function examples(model, items) {
  const names = model.keys.map(({ name }) => name);
  return h('table', { class: 'grid' },
    tableHead(names.map(visible)),
    h('tbody', {}, items.slice(0, kExamples).map((item) => (
      h('tr', {}, names.map((name) => h('td', {}, preview(item[name], 60))))))));
}

// In the dialog: deletes, tells how far it is, closes with what was removed.
async function run(model, items, { body, close, stop }) {
  const state = h('p', { role: 'status' });
  const stopButton = button('Stop', () => stop.abort());
  replace(body, state, h('div', { class: 'actions' }, stopButton));
  stopButton.focus();
  let last = 0;
  const progress = (count, failed) => {
    if (performance.now() - last < 100) return;
    last = performance.now();
    const failures = failed > 0 ? `, ${number(failed)} failed` : '';
    replace(state, `${number(count)} of ${number(items.length)} deleted${failures} \u2026`);
  };
  close(await removeItems(model, items, { signal: stop.signal, progress }));
}

function tell(model, answer, done) {
  if (!answer) return;
  const { failed, removed, count } = answer;
  if (failed.length > 0) {
    notify(`${plural(failed.length, 'item')} were not deleted: ${failed[0].error.message}`, { kind: 'bad' });
  }
  const deleted = `${plural(count, 'item')} deleted.`;
  if (removed?.length > 0) undo(deleted, () => restore(model, removed, done));
  else notify(deleted);
  done();
}

// items: those that are selected, as far as they were read.
export async function deleteSelected(model, items, done) {
  const stop = new AbortController();
  const answer = await dialog({
    title: `Delete ${plural(items.length, 'item')}?`,
    wide: true,
    content: (close) => {
      const body = h('div', { class: 'stack' });
      const spent = units(items.reduce((sum, item) => sum + writeUnits(item), 0));
      const start = () => run(model, items, { body, close, stop });
      replace(body, examples(model, items),
        items.length > kExamples && h('p', { class: 'quiet' }, `and ${plural(items.length - kExamples, 'other')}`),
        h('p', {}, `The deletion consumes about ${spent}. You can undo it right afterwards.`),
        h('div', { class: 'actions' }, button('Cancel', () => close()),
          button(`Delete ${plural(items.length, 'item')}`, start, { class: 'danger', autofocus: true })));
      return body;
    },
  });
  stop.abort();
  tell(model, answer, done);
}

// Reads the keys of all that match.
async function findMatching(model, makeRequest, { signal, progress }) {
  const items = [];
  let scanned = 0;
  let start;
  do {
    const { operation, input } = makeRequest();
    const page = { ...input, ...(start && { ExclusiveStartKey: start }) };
    const { output, error } = await call(operation, page, { signal });
    if (error) return { items, error };
    for (const item of output.Items) items.push({ key: keyOf(item, model.keys), units: writeUnits(item) });
    scanned += output.ScannedCount;
    start = output.LastEvaluatedKey;
    progress(items.length, scanned);
  } while (start && items.length < kReadAhead);
  return { items, error: null, more: Boolean(start) };
}

function confirmMatching(model, { items, more }, { body, close, stop }) {
  const keys = items.map(({ key }) => key);
  const agree = h('input', {
    'aria-label': 'Number of items', inputmode: 'numeric', autocomplete: 'off',
    on: { input: () => { deleteButton.disabled = agree.value.replace(/\D/g, '') !== String(keys.length); } },
  });
  const counted = plural(keys.length, 'item');
  const deleteButton = h('button', { type: 'submit', class: 'danger', disabled: keys.length > 1 }, `Delete ${counted}`);
  replace(body,
    h('p', {}, h('strong', {}, counted),
      more ? ' match first and will be deleted:' : ' match and will be deleted:'),
    examples(model, keys),
    keys.length > kExamples && h('p', { class: 'quiet' }, `and ${plural(keys.length - kExamples, 'other')}`),
    h('p', {}, `The deletion consumes about ${units(items.reduce((sum, each) => sum + each.units, 0))}. `,
      keys.length <= kMaxUndo ? 'You can undo it right afterwards.'
        : h('strong', { class: 'bad' }, `You cannot undo a deletion of more than ${number(kMaxUndo)} items.`)),
    h('form', { class: 'stack', on: { submit: (event) => {
      event.preventDefault();
      if (!deleteButton.disabled) run(model, keys, { body, close, stop });
    } } },
    keys.length > 1 && h('label', { class: 'field' },
      h('span', {}, 'Type ', h('code', {}, String(keys.length)), ' to confirm'), agree),
    h('div', { class: 'actions' }, button('Cancel', () => close()), deleteButton)));
  (keys.length > 1 ? agree : deleteButton).focus();
}

// makeRequest(): the request of the form.
export async function deleteMatching(model, makeRequest, done) {
  const stop = new AbortController();
  const answer = await dialog({
    title: 'Delete matching items',
    wide: true,
    content: (close) => {
      const state = h('p', { role: 'status' }, 'Reading matching items \u2026');
      const body = h('div', { class: 'stack' }, state,
        h('div', { class: 'actions' }, button('Cancel', () => close())));
      const progress = (found, scanned) => (
        replace(state, `${number(found)} of ${plural(scanned, 'item')} match \u2026`));
      findMatching(model, makeRequest, { signal: stop.signal, progress }).then((found) => {
        if (found.error) replace(body, errorBox(found.error));
        else if (found.items.length === 0) replace(body, h('p', {}, 'No item matches.'));
        else confirmMatching(model, found, { body, close, stop });
      }).catch((error) => { if (error.name !== 'AbortError') throw error; });
      return body;
    },
  });
  stop.abort();
  tell(model, answer, done);
}
