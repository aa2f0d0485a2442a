// A line of the form: attribute, operator, type, value.

import { h, replace } from '../dom.js';
import { kOperators, kValueTypes, operatorById } from '../query/conditions.js';
import { guessType } from '../values/edit.js';
import { kTypeNames, kTypes } from '../values/types.js';
import { button, select } from '../widgets.js';

const typeOptions = (types) => types.map((type) => [type, kTypeNames[type]]);

// The filter is changed in place. changeWord: turns `and` into `or`, for the first pair.
export function filterRow(filter, { index, word, changeWord, remove }) {
  const field = (name) => ({ dataset: { field: `filter${index}${name}` } });
  let typeChosen = filter.value !== '';
  const values = h('span', { class: 'together' });
  const input = (part, label) => h('input', {
    ...field(part), value: filter[part] ?? '', 'aria-label': label,
    autocomplete: 'off', spellcheck: 'false', class: 'mono',
    on: { input: (event) => {
      filter[part] = event.target.value;
      if (part === 'value' && !typeChosen) guess();
    } },
  });
  const type = select(typeOptions(kValueTypes), {
    value: filter.type, 'aria-label': 'Type of the value',
    on: { change: () => {
      filter.type = type.value;
      typeChosen = true;
      draw();
    } },
  });
  function guess() {
    if (operatorById(filter.operator).list || filter.type === 'NULL') return;
    filter.type = guessType(filter.value);
    type.value = filter.type;
  }
  function draw() {
    const operator = operatorById(filter.operator);
    const wantsValue = operator.operands > 0 && !operator.attributeType && !(filter.type === 'NULL' && !operator.size);
    replace(values,
      operator.operands > 0 && !operator.attributeType && !operator.size && type,
      operator.attributeType && select(typeOptions(kTypes), {
        ...field('value'), value: filter.value || (filter.value = 'S'), 'aria-label': 'Type',
        on: { change: (event) => { filter.value = event.target.value; } },
      }),
      wantsValue && input('value', operator.list ? 'Values, separated by commas'
        : operator.size ? 'Size in bytes, or number of elements' : 'Value'),
      operator.operands === 2 && [' and ', input('second', 'Upper bound')]);
  }
  const operators = select(kOperators.map(({ id, name }) => [id, name]), {
    value: filter.operator, 'aria-label': 'Operator',
    on: { change: () => {
      if (operatorById(filter.operator).attributeType) filter.value = '';
      filter.operator = operators.value;
      draw();
    } },
  });
  draw();
  return h('div', { class: 'filter', role: 'group', 'aria-label': `Filter ${index + 1}` },
    changeWord ? button(word, changeWord, { class: 'small word', title: 'Match all filters, or any filter' })
      : h('span', { class: 'word' }, word),
    h('input', {
      ...field('path'), value: filter.path, placeholder: 'attribute', 'aria-label': 'Attribute',
      list: 'known-attributes', autocomplete: 'off', spellcheck: 'false', class: 'mono',
      on: { input: (event) => { filter.path = event.target.value; } },
    }),
    operators, values,
    button('\u00d7', remove, { class: 'plain', 'aria-label': `Remove filter ${index + 1}` }));
}
