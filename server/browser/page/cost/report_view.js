// A report of costs: figures, the table of patterns, marks and notes.

import { h } from '../dom.js';
import { number, plural } from '../format.js';
import { tableHead } from '../widgets.js';
import { dollars, kModes, markText, rateOf } from './figures.js';

const kNumber = { maximumFractionDigits: 2 };

function figure(name, value) {
  return h('div', {}, h('dt', {}, name), h('dd', {}, value));
}

function figures(report, mode) {
  const count = report.patterns.length + (report.other?.patterns ?? 0);
  return h('dl', { class: 'figures' },
    kModes.map(([key, label]) => figure(`A month, ${label.toLowerCase()}`, h('span', {
      class: key === mode && 'good',
    }, dollars(report.total.month[key])))),
    figure('Requests', number(report.requests)), figure('Access patterns', number(count)));
}

function rateInput(row, setRate) {
  const input = h('input', {
    type: 'number', min: '0', step: 'any', class: 'rate', value: String(row.calls_per_second),
    'aria-label': `Calls a second: ${row.name}`, dataset: { at: row.name },
    on: { change: () => {
      const rate = rateOf(input.value);
      if (rate === null) {
        input.value = String(row.calls_per_second);
      } else {
        setRate(row.name, rate);
      }
    } },
  });
  return input;
}

function numbers(...values) {
  return values.map((value) => (
    h('td', { class: 'number' }, typeof value === 'number' ? number(value, kNumber) : value)));
}

function patternRow(row, mode, setRate) {
  const { average } = row;
  return h('tr', {}, h('th', { scope: 'row', class: 'mono' }, row.name,
    row.marks.length > 0 && h('div', { class: 'badges' },
      row.marks.map((mark) => h('span', { class: ['badge', 'warn'] }, markText(mark)))),
    row.table_class !== 'STANDARD' && h('div', { class: 'hint' }, 'Standard-IA'),
    row.replicas > 0 && h('div', { class: 'hint' }, plural(row.replicas, 'replica'))),
  numbers(row.calls, row.errors, average.items_read, average.items_returned, average.read_units, average.write_units),
  h('td', { class: 'number' }, rateInput(row, setRate)),
  numbers(mode === 'provisioned' && `${number(row.read_capacity, kNumber)} / ${number(row.write_capacity, kNumber)}`)
    .slice(mode === 'provisioned' ? 0 : 1),
  numbers(dollars(row.month[mode])));
}

function sumRow(name, sums, mode) {
  const isProvisioned = mode === 'provisioned';
  return h('tr', { class: 'sum' }, h('th', { scope: 'row' }, name),
    numbers(sums.calls, sums.errors, '', '', '', '', ''),
    isProvisioned && numbers(`${number(sums.read_capacity, kNumber)} / ${number(sums.write_capacity, kNumber)}`),
    numbers(dollars(sums.month[mode])));
}

function patternTable(report, mode, setRate) {
  const capacity = mode === 'provisioned' ? [['RCU / WCU']] : [];
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Access patterns' },
    h('table', { class: ['grid', 'words', 'costs', mode === 'provisioned' && 'by-capacity'] },
      h('caption', { class: 'off-screen' }, 'Access patterns by price; items and units are averages of a call'),
      tableHead(['Access pattern', ['Calls'], ['Errors'], ['Read'], ['Returned'], ['RRU'], ['WRU'], ['Calls a second'],
        ...capacity, ['A month']]),
      h('tbody', {}, report.patterns.map((row) => patternRow(row, mode, setRate)),
        report.other && sumRow(plural(report.other.patterns, 'other pattern'), report.other, mode),
        sumRow('Total', report.total, mode))));
}

function marksPanel(report) {
  return h('section', { class: 'panel', 'aria-label': 'Marks' }, h('header', {}, h('h2', {}, 'Marks')),
    report.marks.length === 0 ? h('p', { class: ['body', 'quiet'] }, 'No pattern stands out.')
      : h('ul', { class: ['body', 'marks'] }, report.marks.map(({ mark, pattern, sentence }) => h('li', {},
        h('span', { class: ['badge', 'warn'] }, markText(mark)), ' ',
        pattern && [h('code', {}, pattern), ': '], sentence))));
}

function basis({ prices, hours, utilization, region }) {
  const list = prices.date === null ? 'All prices are those of the request.'
    : `Prices of ${prices.date}: ${prices.source}.`;
  return h('p', { class: 'hint' }, `A month has ${number(hours)} hours. Provisioned capacity is used to `
    + `${number(utilization, { style: 'percent' })}. Read, Returned, RRU and WRU are averages of a call. `
    + `Storage is not included. Region ${region}. ${list}`);
}

/** The nodes of a report. `mode`: of kModes. setRate(pattern, calls a second) is called when a row's rate changes. */
export function reportView(report, mode, setRate) {
  return [figures(report, mode), report.notes.map((note) => h('p', { class: ['notice', 'warn'] }, note)),
    patternTable(report, mode, setRate), marksPanel(report), basis(report)];
}
