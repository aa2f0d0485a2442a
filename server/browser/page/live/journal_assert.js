// A form for assertions on the journal, the same that tests make by HTTP.

import { h, replace } from '../dom.js';
import { session } from '../client.js';
import { change } from '../control.js';
import { number } from '../format.js';
import { busy, button, code, copyButton, dialog, field } from '../widgets.js';
import { journalPath } from './journal_reader.js';

const numeric = (label, value) => h('input', { type: 'number', min: '0', step: 'any', value, 'aria-label': label });

/** The assertions of the form: [{check, read}]; read() gives one of the contract's objects. */
function makeChoices() {
  const maxUnits = numeric('Units', '3');
  const maxWrites = numeric('Writes', '1');
  const maxReads = numeric('Reads', '5');
  const operation = h('input', { value: 'Query', size: '14', 'aria-label': 'Operation' });
  const calls = numeric('Calls', '1');
  const choice = (label, read, checked, ...inputs) => {
    const check = h('input', { type: 'checkbox', checked });
    for (const input of inputs) input.addEventListener('input', () => { check.checked = true; });
    const node = h('div', { class: 'row' }, h('label', { class: 'check' }, check, h('span', {}, label)), inputs);
    return { check, read, node };
  };
  return [
    choice('No Scan', () => ({ no_scan: true }), true),
    choice('No errors', () => ({ no_errors: true }), false),
    choice('Maximum capacity units in total', () => ({ max_units: Number(maxUnits.value) }), false, maxUnits),
    choice('Maximum writes of one key', () => ({ max_writes_per_key: Number(maxWrites.value) }), false, maxWrites),
    choice('Maximum single reads in a row (N+1)', () => ({ no_n_plus_one: Number(maxReads.value) }), false, maxReads),
    choice('Maximum calls of an operation', () => (
      { max_calls: { operation: operation.value, count: Number(calls.value) } }), false, operation, calls),
  ];
}

/** An assertion fails once for each request that breaks it; null stands for records that were dropped. */
function failureText(failures) {
  const broken = new Set(failures.filter(({ assertion }) => assertion !== null)
    .map(({ assertion }) => JSON.stringify(assertion)));
  if (broken.size === 0) return 'The result is unknown, because the server dropped records.';
  return broken.size === 1 ? '1 assertion failed.' : `${number(broken.size)} assertions failed.`;
}

function showResult(node, { passed, failures }) {
  replace(node, passed ? h('p', { class: 'good' }, 'All assertions passed.') : [
    h('p', { class: 'bad' }, failureText(failures)),
    h('ul', {}, failures.map(({ sentence, records }) => h('li', {}, sentence,
      records?.length > 0 && h('span', { class: 'quiet' }, ' Requests ',
        records.slice(0, 20).map((each) => number(each)).join(', '), records.length > 20 && ' …')))),
  ]);
}

/** `newest`: the number of the last record, to assert on what comes later. */
export function assertDialog(newest) {
  const choices = makeChoices();
  const after = h('input', { type: 'number', min: '0', value: '0' });
  const result = h('div', { role: 'status' });
  const asked = () => ({
    after: Number(after.value),
    assertions: choices.filter(({ check }) => check.checked).map(({ read }) => read()),
  });
  const submit = async (event) => {
    event.preventDefault();
    await busy(event.submitter, async () => {
      const body = await change('POST', `${journalPath(session.namespace)}/assert`, asked());
      if (body) showResult(result, body);
    });
  };
  const request = () => JSON.stringify(asked());
  const example = h('details', {}, h('summary', {}, 'Request for a test'));
  example.addEventListener('toggle', () => replace(example, h('summary', {}, 'Request for a test'),
    code(`POST ${journalPath(session.namespace)}/assert\n${request()}`, { label: 'Request' }), copyButton(request)));
  return dialog({
    title: 'Assertions',
    wide: true,
    content: h('form', { class: 'stack', on: { submit } },
      choices.map(({ node }) => node),
      field('Check requests after number', h('div', { class: 'row' }, after,
        button('From now on', () => { after.value = String(newest); }, { class: 'small' }))),
      h('div', { class: 'actions' }, h('button', { class: 'primary' }, 'Check')), result, example),
  });
}
