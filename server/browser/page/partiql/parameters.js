// A field for each ? of the statement.

import { h, replace } from '../dom.js';
import { select } from '../widgets.js';
import { typedInput } from '../query/conditions.js';
import { guessType } from '../values/edit.js';
import { readPlainItem } from '../values/plain.js';
import { readTypedItem } from '../values/typed.js';
import { kTypeNames } from '../values/types.js';

const kKinds = [
  ...['S', 'N', 'BOOL', 'NULL', 'B'].map((type) => [type, kTypeNames[type]]), ['json', 'JSON'],
  ['typed', 'DynamoDB JSON'],
];

export class Parameters {
  #given = [];

  constructor() {
    this.node = h('div', { class: 'parameters', role: 'group', 'aria-label': 'Parameters', hidden: true });
  }

  // What was typed stays, by position.
  count(length) {
    if (this.node.childElementCount === length) return;
    this.node.hidden = length === 0;
    while (this.#given.length < length) this.#given.push({ kind: 'S', text: '', chosen: false });
    replace(this.node, this.#given.slice(0, length).map((given, index) => this.#field(given, index)));
  }

  #field(given, index) {
    const kind = select(kKinds, {
      value: given.kind, 'aria-label': `Type of parameter ${index + 1}`,
      on: { change: () => {
        given.kind = kind.value;
        given.chosen = true;
      } },
    });
    const text = h('input', {
      class: 'mono', value: given.text, 'aria-label': `Parameter ${index + 1}`,
      autocomplete: 'off', spellcheck: 'false',
      on: { input: () => {
        given.text = text.value;
        if (!given.chosen) kind.value = given.kind = guessType(text.value);
      } },
    });
    return h('span', { class: 'together' }, h('span', { class: 'quiet' }, `?${index + 1}`), kind, text);
  }

  // [{kind, text}] of the fields that are shown.
  get given() { return this.#given.slice(0, this.node.childElementCount).map(({ kind, text }) => ({ kind, text })); }

  // What was given before, by position; fields come with count().
  write(list) {
    const isKind = (kind) => kKinds.some(([each]) => each === kind);
    this.#given = list.map(({ kind, text }) => ({ kind: isKind(kind) ? kind : 'S', text, chosen: true }));
    replace(this.node);
  }

  // Throws ConditionError, JsonError or ItemError.
  values() {
    return this.#given.slice(0, this.node.childElementCount).map(({ kind, text }) => {
      if (kind === 'json') return readPlainItem(`{"value":${text}}`).value;
      if (kind === 'typed') return readTypedItem(`{"value":${text}}`).value;
      return typedInput(text, kind);
    });
  }
}
