// Items into a file: those selected, this page, or all that the form finds.

import { call } from '../client.js';
import { h, replace } from '../dom.js';
import { bytes, number, plural, units } from '../format.js';
import { button, dialog, errorBox, field, notify, select } from '../widgets.js';
import { columnsOf, csvHead, csvLine, noteColumns } from '../values/csv.js';
import { kFormats } from '../values/files.js';
import { findPlainLoss, plainLine } from '../values/plain.js';
import { describePath, typedLine } from '../values/typed.js';
import { download, FileText } from './download.js';

const kMaxBytes = 1_000_000_000;

const kLines = { 'json-typed': typedLine, 'json-plain': plainLine };

class LossError extends Error {}

// Writes items of any number; CSV keeps typed lines until its columns are known.
class ItemFile {
  #file = new FileText();
  #format;
  #keys;
  #types = new Map();
  #items = []; // for CSV
  count = 0;

  constructor(format, keys) {
    this.#format = format;
    this.#keys = keys;
  }

  get bytes() { return this.#file.bytes; }

  add(items) {
    for (const item of items) {
      this.count += 1;
      if (this.#format === 'csv') {
        noteColumns(this.#types, item);
        this.#items.push(item);
        continue;
      }
      const loss = this.#format === 'json-plain' ? findPlainLoss({ M: item }) : null;
      if (loss) {
        throw new LossError(`Plain JSON cannot represent the type of ${describePath(loss)}. `
          + 'Choose DynamoDB JSON or CSV instead.');
      }
      this.#file.add(`${kLines[this.#format](item)}\n`);
    }
  }

  blob() {
    if (this.#format !== 'csv') return this.#file.whole();
    const columns = columnsOf(this.#types, this.#keys);
    for (const item of this.#items) this.#file.add(`${csvLine(item, columns)}\r\n`);
    return this.#file.whole(`${csvHead(columns)}\r\n`);
  }
}

// All that matches, an answer at a time.
async function readAll(file, start, { signal, progress }) {
  let from;
  let used = 0;
  do {
    const { operation, input } = start(undefined, from);
    const { output, error } = await call(operation, input, { signal });
    if (error) return error;
    file.add(output.Items);
    used += output.ConsumedCapacity?.CapacityUnits ?? 0;
    from = output.LastEvaluatedKey;
    progress(file.count, used);
    if (file.bytes > kMaxBytes || (file.count > 2_000_000)) {
      return { type: 'Too large for a browser', message: 'For large exports, run magneto export --help.' };
    }
  } while (from);
  return null;
}

async function run(model, format, source, chosen, parts) {
  const { state, body, stop, close } = parts;
  const file = new ItemFile(format, model.keys);
  try {
    if (chosen) file.add(chosen);
    const progress = (count, used) => (
      replace(state, `${plural(count, 'item')}, ${units(used)}, ${bytes(file.bytes)} \u2026`));
    const error = chosen ? null : await readAll(file, source.start, { signal: stop.signal, progress });
    if (error) {
      replace(body, errorBox(error));
      return;
    }
  } catch (error) {
    if (error.name === 'AbortError') return;
    if (!(error instanceof LossError)) throw error;
    replace(body, errorBox({ type: 'No file was written', message: error.message }));
    return;
  }
  const suffix = kFormats[format].suffix;
  download(file.blob(), `${model.name}${format === 'json-plain' ? '-plain' : ''}${suffix}`);
  close();
  notify(`${plural(file.count, 'item')} exported.`, { kind: 'good' });
}

// source: {items: selected, page: items of this page, start(limit, start): request}
export async function exportDialog(model, choice, source) {
  const stop = new AbortController();
  const all = choice.filters.length > 0 || choice.partition.some(Boolean) ? 'All matching items'
    : `All items (about ${number(model.items)})`;
  await dialog({
    title: `Export from ${model.name}`,
    content: (close) => {
      const { length } = source.items;
      const what = select([
        ...(length > 0 ? [['selected', plural(length, 'selected item')]] : []),
        ['page', `This page (${plural(source.page.length, 'item')})`], ['all', all],
      ], {});
      const format = select(Object.entries(kFormats).map(([id, { name }]) => [id, name]), {});
      const state = h('p', { role: 'status', class: 'quiet' });
      const body = h('form', { class: 'stack', on: { submit: (event) => {
        event.preventDefault();
        const chosen = { selected: source.items, page: source.page, all: null }[what.value];
        run(model, format.value, source, chosen, { state, body, stop, close });
      } } }, field('Items', what),
      field('Format', format, { hint: 'The commands magneto import and magneto export use the same formats.' }), state,
      h('div', { class: 'actions' }, button('Cancel', () => close()),
        h('button', { type: 'submit', class: 'primary' }, 'Export')));
      return body;
    },
  });
  stop.abort();
}
