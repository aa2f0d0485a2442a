// The rules of faults of a namespace.

import { h } from '../dom.js';
import { change, namespacePath } from '../control.js';
import { number } from '../format.js';
import { confirmDialog, tableHead } from '../widgets.js';
import { faultDialog } from './fault_form.js';
import { sentenceOf } from './fault_rule.js';
import { makePanel } from './panel.js';

function ruleRow(rule, remove) {
  const spent = rule.count !== undefined && rule.hits >= rule.count;
  const { id, hits, ...written } = rule;
  return h('tr', {},
    h('td', { class: ['sentence', spent && 'quiet'] }, h('bdi', {}, sentenceOf(rule)),
      h('details', {}, h('summary', {}, 'As JSON'), h('code', {}, JSON.stringify(written)))),
    h('td', { class: 'number' }, number(hits ?? 0), spent && ' (used up)'),
    h('td', {}, h('button', {
      class: 'small', 'aria-label': `Remove: ${sentenceOf(rule)}`, on: { click: () => remove(id) },
    }, 'Remove')));
}

export function faultsPanel({ namespace, signal }) {
  const path = namespacePath(namespace, 'faults');
  const add = async (load) => {
    const rule = await faultDialog({ path });
    if (rule && await change('POST', path, rule)) load();
  };
  const clear = async (load) => {
    const agreed = await confirmDialog({
      title: 'Remove all rules', message: 'The server stops injecting faults into requests.',
      confirm: 'Remove all', danger: true,
    });
    if (agreed && await change('DELETE', path)) load();
  };
  const remove = async (id, load) => {
    if (await change('DELETE', `${path}/${encodeURIComponent(id)}`)) load();
  };
  return makePanel({
    title: 'Faults', what: 'Fault injection', path, signal,
    hint: 'Fault rules make requests fail or wait. Latencies add up. '
      + 'For other faults, the first matching rule applies.',
    show: ({ rules }, load) => [
      rules.length === 0 ? h('p', { class: 'quiet' }, 'There are no fault rules.')
        : h('table', { class: ['grid', 'words'] }, h('caption', { class: 'off-screen' }, 'Rules'),
          tableHead(['Rule', ['Hits'], h('span', { class: 'off-screen' }, 'Actions')]),
          h('tbody', {}, rules.map((rule) => ruleRow(rule, (id) => remove(id, load))))),
      h('div', { class: 'row' }, h('button', { class: 'primary', on: { click: () => add(load) } }, 'Add a rule'),
        rules.length > 0 && h('button', { on: { click: load } }, 'Refresh hits'),
        rules.length > 0 && h('button', { class: 'danger', on: { click: () => clear(load) } }, 'Remove all')),
    ],
  });
}
