// Charts of what the server does: requests, latency, throttles, conflicts, memory; what it has counted since
// its start, in all and by operation.

import { h, replace } from '../dom.js';
import { control, session } from '../client.js';
import { ago, bytes, duration, number, plural, time } from '../format.js';
import { connectionDialog } from '../connection.js';
import { loadStyle } from '../style_sheet.js';
import { notAvailable, select } from '../widgets.js';
import { Chart } from './chart.js';
import { listOf, sleep } from './live_list.js';
import { between, sinceStart } from './rates.js';

const kInterval = 2000;  // milliseconds
const kMostSamples = 900;  // half an hour
const kWindows = [['60', '1 minute'], ['300', '5 minutes'], ['1800', '30 minutes']];

// Kept while the page is open, so that leaving the room loses only what comes meanwhile.
let samples = [];
let reading = null;
let readingAt = 0;
let started = null;  // when the server did, as GET /_/status writes it
let seconds = 60;  // how far back is shown

function keep(sample) {
  const before = samples.at(-1);
  if (before && (sample.at <= before.at || sample.seconds > 4 * kInterval / 1000)) {
    samples = sample.at <= before.at ? [] : [...samples, gapAt(before.at + 1)];
  }
  samples.push(sample);
  if (samples.length > kMostSamples) samples.splice(0, samples.length - kMostSamples);
}

/** Cuts the lines: nobody watched. */
function gapAt(at) {
  return { at, gap: true };
}

const perSecond = (count) => number(count, { maximumFractionDigits: count < 10 ? 1 : 0 });
const milliseconds = (seconds) => (seconds === null || seconds === undefined ? '–' : duration(seconds * 1000));
const of = (member) => (sample) => (sample.gap ? null : sample[member]);
const total = (member) => (totals) => number(totals[member]);

function memoryLimit(all) {
  const newest = all.at(-1);
  // A limit that is far away would only press the line flat.
  return newest?.memoryLimit && newest.memory * 2 > newest.memoryLimit ? newest.memoryLimit : null;
}

function makeCharts() {
  return [
    new Chart({
      title: 'Requests per second', write: perSecond, seconds,
      series: [
        { name: 'All', value: of('callsPerSecond'), since: total('calls') },
        { name: 'Errors', value: of('errorsPerSecond'), since: total('errors') },
      ],
    }),
    new Chart({
      title: 'Latency', write: milliseconds, seconds, clips: true, empty: 'No requests in this time range',
      series: [
        { name: 'p50', value: of('p50'), since: ({ p50 }) => milliseconds(p50) },
        { name: 'p99', value: of('p99'), since: ({ p99 }) => milliseconds(p99) },
      ],
    }),
    new Chart({
      title: 'Memory', write: bytes, seconds, limit: memoryLimit, base: 2,
      series: [{ name: 'Process', value: of('memory') }],
    }),
    new Chart({
      title: 'Connections', least: 1, write: (count) => number(count, { maximumFractionDigits: 0 }), seconds,
      series: [{ name: 'Open', value: of('connections') }],
    }),
    new Chart({
      title: 'Throttled per second', write: perSecond, seconds, hidesQuiet: true,
      series: [
        { name: 'Reads', value: of('readThrottlesPerSecond'), since: total('readThrottles') },
        { name: 'Writes', value: of('writeThrottlesPerSecond'), since: total('writeThrottles') },
      ],
    }),
    new Chart({
      title: 'Transaction conflicts per second', write: perSecond, seconds, hidesQuiet: true,
      series: [{ name: 'Conflicts', value: of('conflictsPerSecond'), since: total('conflicts') }],
    }),
  ];
}

// What the server has counted since its start, long before this page was opened.
function totalFigures(totals) {
  const figures = [
    ['Requests', number(totals.calls)], ['Errors', number(totals.errors)],
    ['Mean rate', totals.callsPerSecond === null ? '–' : `${perSecond(totals.callsPerSecond)}/s`],
    ['Mean latency', milliseconds(totals.mean)], ['p50', milliseconds(totals.p50)], ['p99', milliseconds(totals.p99)],
    ['Throttled', number(totals.readThrottles + totals.writeThrottles)], ['Conflicts', number(totals.conflicts)],
  ];
  return h('section', { 'aria-label': 'Since the server started' },
    h('h2', { class: 'figures-head' }, 'Since the server started', started && h('span', {
      class: 'quiet', title: time(new Date(started)),
    }, ` ${ago(new Date(started))}`)),
    h('dl', { class: 'figures' }, figures.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))));
}

function operationsTable(totals, sample) {
  const rates = new Map((sample?.operations ?? []).map((each) => [each.name, each.perSecond]));
  return listOf({
    caption: 'Operations since the server started',
    columns: ['Operation', ['Calls'], ['Per second now'], ['Mean'], ['p50'], ['p99'], ['Errors'], 'Error types'],
    rows: totals.operations.sort((a, b) => b.calls - a.calls).map(({ name, calls, errors, mean, p50, p99 }) => [
      name, number(calls), rates.has(name) ? perSecond(rates.get(name)) : '–',
      milliseconds(mean), milliseconds(p50), milliseconds(p99),
      number(errors), errorKinds(reading.operations[name].errors),
    ]),
    empty: 'The server has not received a request yet.',
  });
}

function errorKinds(errors = {}) {
  const found = Object.entries(errors).filter(([, count]) => count > 0);
  return found.map(([type, count]) => (found.length === 1 ? type : `${type} ${number(count)}`)).join(', ') || '–';
}

const callsOf = ({ operations = {} }) => Object.values(operations).reduce((sum, { calls }) => sum + calls, 0);

/** Counters that became smaller are those of a server that was started anew. */
async function learnStart(before, now, signal) {
  if (started !== null && !(before && callsOf(now) < callsOf(before))) return;
  const { status, body } = await control('GET', '/_/status', undefined, { signal });
  if (status === 200) started = body.started;
}

/** One more reading into the samples. Returns what control() gave. */
async function read(signal) {
  const answer = await control('GET', '/_/statistics', undefined, { signal });
  if (answer.status !== 200) return answer;
  const sample = reading && between(reading, answer.body);
  if (sample) keep(sample);
  await learnStart(reading, answer.body, signal);
  reading = answer.body;
  readingAt = Date.now();
  return answer;
}

export const room = {
  title: () => 'Charts',

  async show(params, { main, signal }) {
    await loadStyle('live/live.css');
    started = session.status?.started ?? started;
    if (reading && Date.now() - readingAt > kMostSamples * kInterval) reading = null;
    let charts = [];
    let paused = false;
    const grid = h('div', { class: 'charts' });
    const figures = h('div', {});
    const calm = h('p', { class: 'hint', hidden: true });
    const numbers = h('div', { class: 'stack' });
    const status = h('span', { class: 'quiet' });
    const secondsUp = () => (started ? (Date.parse(reading.at) - Date.parse(started)) / 1000 : 0);
    const totals = () => reading && sinceStart(reading, secondsUp());
    const showCharts = () => {
      const known = totals();
      charts.forEach((chart) => chart.show(samples, known));
      const quiet = charts.filter(({ isQuiet }) => isQuiet).map(({ title }) => title.toLowerCase());
      calm.hidden = quiet.length === 0;
      calm.textContent = `Hidden charts, which are 0 in this time range: ${quiet.join(', ')}.`;
    };
    const setWindow = (wanted) => {
      seconds = wanted;
      charts = makeCharts();
      replace(grid, charts.map(({ node }) => node));
      showCharts();
    };
    const length = select(kWindows, {
      value: String(seconds), 'aria-label': 'Time range', on: { change: () => setWindow(Number(length.value)) },
    });
    const pause = h('button', { 'aria-pressed': 'false', on: { click: () => {
      paused = !paused;
      pause.setAttribute('aria-pressed', String(paused));
    } } }, 'Pause');
    replace(main, h('div', { class: 'toolbar' }, h('h1', {}, 'Charts'), status, length, pause),
      figures, grid, calm, numbers);
    setWindow(seconds);
    const shown = () => {
      const newest = samples.at(-1);
      status.textContent = newest
        ? `Whole server${reading.namespaces > 1 ? `, all ${plural(reading.namespaces, 'namespace')}` : ''}`
        : 'The first rates appear in a moment';
      showCharts();
      const known = totals();
      replace(figures, totalFigures(known));
      replace(numbers, operationsTable(known, newest));
    };
    watch({ main, signal, shown, isPaused: () => paused, status });
  },
};

async function watch({ main, signal, shown, isPaused, status }) {
  let isFirst = true;
  while (!signal.aborted) {
    if (!isPaused() && !document.hidden) {
      const answer = await read(signal).catch(() => null);
      if (signal.aborted) return;
      if (answer?.status === 200) {
        shown();
      } else if (isFirst || answer?.status === 401) {
        replace(main, notAvailable('The statistics endpoint', answer ?? { status: 0 }, connectionDialog));
        return;
      } else {
        status.textContent = answer?.body?.error ?? 'The server does not respond. Trying again.';
      }
      isFirst = false;
    }
    await sleep(kInterval, signal);
  }
}
