// The form for a rule of faults, with the rule as a sentence and as the request that makes it.

import { h, replace } from '../dom.js';
import { catalog } from '../catalog.js';
import { kOperations } from '../operations.js';
import { button, code, dialog, field, select } from '../widgets.js';
import { kDurationHint } from './durations.js';
import { kEmptyForm, kErrors, kFaults, kPresets, ruleOf, sentenceOf } from './fault_rule.js';

const kDrops = [['before', 'Before the request runs'], ['after', 'After the request runs, before the response']];
const kShapes = [['fixed', 'Fixed'], ['range', 'Uniform in a range'], ['percentiles', 'By percentiles']];

/** Inputs by the names of kEmptyForm's members. */
function makeInputs(tables) {
  const text = (props = {}) => h('input', { autocomplete: 'off', spellcheck: 'false', ...props });
  return {
    fault: select(kFaults), error: text({ list: 'fault-errors', size: '44' }), message: text(), reasons: text(),
    status: text({ size: '4', inputmode: 'numeric' }),
    shape: select(kShapes), latency: text({ size: '8' }), min: text({ size: '8' }), max: text({ size: '8' }),
    p50: text({ size: '8' }), p99: text({ size: '8' }), drop: select(kDrops),
    fraction: text({ size: '6', inputmode: 'decimal' }),
    operations: text({ list: 'fault-operations', placeholder: 'all', size: '40' }),
    table: h('select', {}, h('option', { value: '' }, 'all'), tables.map((name) => h('option', { value: name }, name))),
    index: text({ placeholder: 'any' }), keyName: text({ size: '8' }), keyPattern: text({ placeholder: 'user#*' }),
    accessKey: text({ placeholder: 'any' }), probability: text({ placeholder: '1', size: '6', inputmode: 'decimal' }),
    seed: text({ size: '6', inputmode: 'numeric' }), skip: text({ placeholder: '0', size: '6', inputmode: 'numeric' }),
    count: text({ placeholder: 'no limit', size: '6', inputmode: 'numeric' }),
    for: text({ placeholder: 'no limit', size: '8' }),
  };
}

function makeParts(inputs) {
  const many = (...fields) => h('div', { class: 'row end' }, fields);
  return {
    error: many(field('Error', inputs.error),
      field('Message', inputs.message, { hint: 'Default: the message of DynamoDB' }),
      field('Reasons', inputs.reasons, { hint: 'Comma-separated, for throttling or cancellations' }),
      field('Status', inputs.status)),
    latency: many(field('Distribution', inputs.shape),
      field('Delay', inputs.latency, { hint: kDurationHint }), field('Minimum', inputs.min),
      field('Maximum', inputs.max), field('p50', inputs.p50), field('p99', inputs.p99)),
    drop: field('When', inputs.drop),
    fraction: field('Fraction, from 0 to 1', inputs.fraction),
  };
}

function showParts(inputs, parts) {
  const kind = inputs.fault.value;
  parts.error.hidden = kind !== 'error';
  parts.latency.hidden = kind !== 'latency';
  parts.drop.hidden = kind !== 'drop';
  parts.fraction.hidden = kind !== 'unprocessed' && kind !== 'truncate';
  const only = { latency: 'fixed', min: 'range', max: 'range', p50: 'percentiles', p99: 'percentiles' };
  for (const [name, shape] of Object.entries(only)) {
    inputs[name].closest('.field').hidden = inputs.shape.value !== shape;
  }
}

const listOfNames = (id, names) => h('datalist', { id }, names.map((name) => h('option', { value: name })));

/** Resolves with the rule to add, null when the form was left. */
export async function faultDialog({ path }) {
  const { names } = await catalog.load();
  const inputs = makeInputs(names);
  const parts = makeParts(inputs);
  const fill = (form) => {
    for (const [name, value] of Object.entries({ ...kEmptyForm, ...form })) inputs[name].value = value;
  };
  const read = () => Object.fromEntries(Object.entries(inputs).map(([name, node]) => [name, node.value]));
  const sentence = h('p', { class: 'notice', role: 'status' });
  const request = h('div', {});
  const update = () => {
    showParts(inputs, parts);
    for (const node of Object.values(inputs)) node.setCustomValidity('');
    const { rule, problem } = ruleOf(read());
    sentence.textContent = rule ? sentenceOf(rule) : `${problem.member}: ${problem.message}`;
    replace(request, rule && code(`POST ${path}\n${JSON.stringify(rule, null, 2)}`, { label: 'Request' }));
  };
  const presets = h('div', { class: 'row' }, kPresets.map(([label, form]) => button(label, () => {
    fill(form);
    update();
  }, { class: 'small' })));
  fill({});
  update();
  return dialog({
    title: 'Add a rule',
    wide: true,
    buttons: () => [h('button', { class: 'primary', form: 'fault-form' }, 'Add the rule')],
    content: (close) => h('form', {
      id: 'fault-form',
      class: 'stack',
      novalidate: true,
      on: {
        input: update,
        change: update,
        submit: (event) => {
          event.preventDefault();
          const { rule, problem } = ruleOf(read());
          if (rule) return close(rule);
          inputs[problem.member].setCustomValidity(problem.message);
          return inputs[problem.member].reportValidity();
        },
      },
    }, presets, fieldsets(inputs, parts), sentence,
    h('details', {}, h('summary', {}, 'Request for a test'), request),
    listOfNames('fault-errors', kErrors), listOfNames('fault-operations', kOperations)),
  });
}

function fieldsets(inputs, parts) {
  const part = (title, ...content) => h('fieldset', {}, h('legend', {}, title), h('div', { class: 'stack' }, content));
  return [
    part('Effect', field('Fault', inputs.fault), Object.values(parts)),
    part('Matching requests', h('div', { class: 'row end' },
      field('Operations', inputs.operations, { hint: 'Comma-separated' }), field('Table', inputs.table),
      field('Index', inputs.index), field('Access key', inputs.accessKey)),
    h('div', { class: 'row end' },
      field('Key attribute', inputs.keyName), field('Key value (* matches any text)', inputs.keyPattern))),
    part('Frequency', h('div', { class: 'row end' },
      field('Probability', inputs.probability), field('Seed', inputs.seed), field('Requests to skip', inputs.skip),
      field('Maximum hits', inputs.count), field('Active for', inputs.for, { hint: kDurationHint }))),
  ];
}
