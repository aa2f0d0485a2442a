// How to connect, what this server has beside DynamoDB's interface, and where its documentation is.

import { h, replace } from '../dom.js';
import { session } from '../client.js';
import { time } from '../format.js';
import { loadStyle } from '../style_sheet.js';
import { connectCode, endpointLine } from './connect_code.js';

const kPages = [
  ['docs/README.md', 'all pages, by subject'],
  ['docs/compatibility.md', 'operations and parameters, and the differences from AWS'],
  ['docs/schema.md', 'tables that the server creates from templates at startup'],
  ['docs/testing.md', 'namespaces, clock, snapshots and the control interface'],
  ['docs/faults.md', 'fault injection: errors, delays and lost connections'],
  ['docs/browser.md', 'the data browser'],
  ['docs/operating.md', 'health, metrics and logs'],
];
const kAddresses = [
  ['/_/health', 'health check'],
  ['/_/ready', 'readiness check'],
  ['/metrics', 'counters and gauges for Prometheus'],
];
const kLinks = [
  ['https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/', 'DynamoDB developer guide'],
  ['https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/', 'DynamoDB API reference'],
];

function panel(title, ...content) {
  return h('section', { class: 'panel', 'aria-label': title },
    h('header', {}, h('h2', {}, title)), h('div', { class: ['body', 'stack'] }, content));
}

function serverFacts() {
  const { status } = session;
  const facts = status ? [
    ['Version', status.version], ['Started', time(new Date(status.started))],
    ['Data', status.durable ? 'in a data directory' : 'in memory'],
    ['Behaves like', status.profile === 'aws' ? 'AWS' : 'DynamoDB Local'],
    ['Signatures', { off: 'not required', shape: 'required, not verified', verify: 'verified' }[status.auth]],
    ['Isolation', { none: 'none', region: 'by region', credentials: 'by access key and region' }[status.isolation]],
  ].filter(([, value]) => value) : [];
  return h('dl', { class: 'facts' }, facts.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

export const room = {
  title: () => 'Docs',

  async show(params, { main, signal }) {
    await Promise.all([loadStyle('tables/tables.css'), session.ready]);
    if (signal.aborted) return;
    replace(main, h('h1', { class: 'apart-below' }, 'Connect and docs'), h('div', { class: ['details', 'help'] },
      panel('Connect your code', endpointLine(), connectCode()),
      h('div', { class: 'stack' },
        panel('This server', serverFacts(), h('dl', { class: 'facts' }, kAddresses.map(([path, what]) => [
          h('dt', {}, h('a', { href: path, target: '_blank', rel: 'noreferrer' }, h('code', {}, path))),
          h('dd', {}, what)]))),
        panel('Documentation',
          h('p', { class: 'quiet' },
            'The source repository of Magneto contains these pages. To list all flags of the server, run ',
            h('code', { class: 'flag' }, 'magneto --help'), '.'),
          h('dl', { class: 'facts' },
            kPages.map(([page, what]) => [h('dt', {}, h('code', {}, page)), h('dd', {}, what)])),
          h('ul', { class: 'plain-links' }, kLinks.map(([href, text]) => (
            h('li', {}, h('a', { href, target: '_blank', rel: 'noreferrer' }, text)))))))));
  },
};
