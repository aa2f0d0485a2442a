// Changes of cells that are not saved yet. Each keeps the value that was read, which must still be
// there when it is saved.

import { keyOf, keyText } from '../values/change.js';
import { contentOf, sameValue, typeOf } from '../values/types.js';

export const kMaxEdits = 100;
const kMaxCellText = 4000; // characters; the panel edits longer ones

const kCellTypes = ['S', 'N', 'B', 'BOOL'];

const valueIn = (item, name) => (Object.hasOwn(item, name) ? item[name] : undefined);

// Has the grid a field for this value? A field would lose carriage returns.
export function fitsCell(value) {
  if (!value || !kCellTypes.includes(typeOf(value))) return false;
  return typeOf(value) === 'BOOL' || (contentOf(value).length <= kMaxCellText && !contentOf(value).includes('\r'));
}

export class CellEdits {
  #keys;
  #entries = new Map(); // text of the key -> {key, changes: Map(name -> {before, after})}
  #changed;

  // keys: the key of the table, [{name, type}]; no edit changes it. changed(): after each change.
  constructor(keys, changed = () => {}) {
    this.#keys = keys;
    this.#changed = changed;
  }

  // A room that is shown again listens in place of the one before.
  listen(changed) { this.#changed = changed; }

  get count() { return [...this.#entries.values()].reduce((sum, { changes }) => sum + changes.size, 0); }
  get items() { return this.#entries.size; }

  #change(item, name) { return this.#entries.get(keyText(item, this.#keys))?.changes.get(name); }

  // The value to show: the new one where there is one.
  value(item, name) { return this.#change(item, name)?.after ?? valueIn(item, name); }

  // {before, after}, undefined when the cell is as it was read.
  of(item, name) { return this.#change(item, name); }

  isKey(name) { return this.#keys.some((key) => key.name === name); }
  canEdit(item, name) { return !this.isKey(name) && fitsCell(this.value(item, name)); }

  // -> whether it was taken; it is not when there are kMaxEdits already. The value that was read takes the change back.
  put(item, name, value) {
    const text = keyText(item, this.#keys);
    const entry = this.#entries.get(text) ?? { key: keyOf(item, this.#keys), changes: new Map() };
    const before = entry.changes.has(name) ? entry.changes.get(name).before : valueIn(item, name);
    if (before && sameValue(before, value)) {
      this.drop(item, name);
      return true;
    }
    if (!entry.changes.has(name) && this.count >= kMaxEdits) return false;
    entry.changes.set(name, { before, after: value });
    this.#entries.set(text, entry);
    this.#changed();
    return true;
  }

  // What is there now takes the place of what was read: saving then replaces it. undefined: nothing is there.
  rebase(item, name, current) {
    const change = this.#change(item, name);
    if (!change) return;
    if (current && sameValue(current, change.after)) this.drop(item, name);
    else change.before = current;
    this.#changed();
  }

  // Of one attribute, or of all of the item.
  drop(item, name) {
    const text = keyText(item, this.#keys);
    const entry = this.#entries.get(text);
    if (!entry) return;
    if (name !== undefined) entry.changes.delete(name);
    if (name === undefined || entry.changes.size === 0) this.#entries.delete(text);
    this.#changed();
  }

  clear() {
    this.#entries.clear();
    this.#changed();
  }

  // Items that were read again: what already is as it was to become needs no saving.
  settle(items) {
    for (const item of items) {
      for (const [name, { after }] of [...this.#entries.get(keyText(item, this.#keys))?.changes ?? []]) {
        const now = valueIn(item, name);
        if (now && sameValue(now, after)) this.drop(item, name);
      }
    }
  }

  // [{key, changes: [{name, before, after}]}] in the order in which they were begun.
  list() {
    return [...this.#entries.values()].map(({ key, changes }) => ({
      key, changes: [...changes].map(([name, { before, after }]) => ({ name, before, after })),
    }));
  }
}

// The parts of an item that a save compares and writes: {before, after}.
export function partsOf({ key, changes }) {
  const part = (which) => Object.fromEntries([
    ...Object.entries(key),
    ...changes.filter((change) => change[which]).map((change) => [change.name, change[which]]),
  ]);
  return { before: part('before'), after: part('after') };
}
