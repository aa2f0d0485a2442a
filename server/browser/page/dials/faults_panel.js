// The rules of faults of a namespace.

import { h } from '../dom.js';
import { number } from '../format.js';
import { confirmDialog } from '../widgets.js';
import { faultDialog } from './fault_form.js';
import { sentenceOf } from './fault_rule.js';
import { makePanel, namespacePath, turn } from './panel.js';

function ruleRow(rule, remove) {
  const spent = rule.count !== undefined && rule.hits >= rule.count;
  const { id, hits, ...written } = rule;
  return h('tr', {},
    h('td', { class: ['sentence', spent && 'quiet'] }, h('bdi', {}, sentenceOf(rule)),
      h('details', {}, h('summary', {}, 'As it was written'), h('code', {}, JSON.stringify(written)))),
    h('td', { class: 'number' }, number(hits ?? 0), spent && ' (spent)'),
    h('td', {}, h('button', { class: 'small', 'aria-label': `Take away: ${sentenceOf(rule)}`, on: { click: () => remove(id) } }, 'Take away')));
}

export function faultsPanel({ namespace, signal }) {
  const path = namespacePath(namespace, 'faults');
  const add = async (load) => {
    const rule = await faultDialog({ path });
    if (rule && await turn('POST', path, rule)) load();
  };
  const clear = async (load) => {
    const agreed = await confirmDialog({
      title: 'Take away all rules', message: 'No fault is made any more.', confirm: 'Take all away', danger: true,
    });
    if (agreed && await turn('DELETE', path)) load();
  };
  const remove = async (id, load) => {
    if (await turn('DELETE', `${path}/${encodeURIComponent(id)}`)) load();
  };
  return makePanel({
    title: 'Faults', what: 'The dial of faults', path, signal,
    hint: 'What clients have to live with, made at will. Latencies add up; of all else the first rule that hits a call counts.',
    show: ({ rules }, load) => [
      rules.length === 0 ? h('p', { class: 'quiet' }, 'There are no rules: nothing is made to fail.')
        : h('table', { class: 'grid' }, h('caption', { class: 'off-screen' }, 'Rules'),
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Rule'), h('th', { scope: 'col', class: 'number' }, 'Hits'),
            h('th', {}, h('span', { class: 'off-screen' }, 'Take away')))),
          h('tbody', {}, rules.map((rule) => ruleRow(rule, (id) => remove(id, load))))),
      h('div', { class: 'row' }, h('button', { class: 'primary', on: { click: () => add(load) } }, 'Add a rule'),
        rules.length > 0 && h('button', { on: { click: load } }, 'Count again'),
        rules.length > 0 && h('button', { class: 'danger', on: { click: () => clear(load) } }, 'Take all away')),
    ],
  });
}
