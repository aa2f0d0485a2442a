// Charts of what the server does: operations, latency, throttles, conflicts, memory, hot keys.

import { h, replace } from '../dom.js';
import { control } from '../client.js';
import { bytes, duration, number, plural } from '../format.js';
import { connectionDialog } from '../connection.js';
import { loadStyle } from '../style_sheet.js';
import { noDial, select } from '../widgets.js';
import { makeChart } from './chart.js';
import { listOf, sleep } from './live_list.js';
import { between } from './rates.js';

const kInterval = 2000;  // milliseconds
const kMostSamples = 900;  // half an hour
const kWindows = [['60', '1 minute'], ['300', '5 minutes'], ['1800', '30 minutes']];
const kHotKeys = 10;

// Kept while the page is open, so that leaving the room loses only what comes meanwhile.
let samples = [];
let reading = null;
let readingAt = 0;
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
const milliseconds = (seconds) => duration(seconds * 1000);
const of = (member) => (sample) => (sample.gap ? null : sample[member]);

function makeCharts() {
  const memoryLimit = (all) => {
    const newest = all.at(-1);
    // A limit that is far away would only press the line flat.
    return newest?.memoryLimit && newest.memory * 2 > newest.memoryLimit ? newest.memoryLimit : null;
  };
  return [
    makeChart({
      title: 'Operations each second', write: perSecond, seconds,
      series: [{ name: 'all', value: of('callsPerSecond') }, { name: 'with an error', value: of('errorsPerSecond') }],
    }),
    makeChart({
      title: 'Time an operation takes', write: milliseconds, seconds,
      series: [{ name: 'half within', value: of('p50') }, { name: '99 % within', value: of('p99') }],
    }),
    makeChart({
      title: 'Throttled each second', write: perSecond, seconds,
      series: [
        { name: 'reads', value: of('readThrottlesPerSecond') }, { name: 'writes', value: of('writeThrottlesPerSecond') },
      ],
    }),
    makeChart({
      title: 'Transaction conflicts each second', write: perSecond, seconds,
      series: [{ name: 'conflicts', value: of('conflictsPerSecond') }],
    }),
    makeChart({
      title: 'Memory', write: bytes, seconds, limit: memoryLimit, base: 2,
      series: [{ name: 'of the process', value: of('memory') }],
    }),
    makeChart({
      title: 'Connections', least: 1, write: (count) => number(count, { maximumFractionDigits: 0 }), seconds,
      series: [{ name: 'open', value: of('connections') }],
    }),
  ];
}

function operationsTable(current, sample) {
  const rates = new Map((sample?.operations ?? []).map((each) => [each.name, each]));
  const rows = Object.entries(current.operations ?? {})
    .map(([name, { calls, errors }]) => ({ name, calls, errors: errors ?? {}, rate: rates.get(name) }))
    .sort((a, b) => b.calls - a.calls);
  const time = (seconds) => (seconds === null || seconds === undefined ? '–' : milliseconds(seconds));
  return listOf({
    caption: 'Operations since the start',
    columns: ['Operation', ['Calls'], ['Each second'], ['Mean'], ['Half within'], ['99 % within'], 'Errors'],
    rows: rows.map(({ name, calls, errors, rate }) => [
      name, number(calls), rate ? perSecond(rate.perSecond) : '–', time(rate?.mean), time(rate?.p50), time(rate?.p99),
      Object.entries(errors).filter(([, count]) => count > 0).map(([type, count]) => `${type} ${number(count)}`).join(', ') || '–',
    ]),
    empty: 'No operation was called yet.',
  });
}

function hotKeysTable(current) {
  const most = Math.max(1, ...(current.hot_keys ?? []).map(({ operations }) => operations));
  return listOf({
    caption: 'Hot keys',
    columns: ['Table', 'Key', ['Operations'], 'Share of the hottest'],
    rows: (current.hot_keys ?? []).slice(0, kHotKeys).map(({ table, key, operations }) => [
      table, h('bdi', {}, typeof key === 'string' ? key : JSON.stringify(key)), number(operations),
      h('meter', { min: 0, max: most, value: operations, 'aria-label': `${operations} of ${most}` }),
    ]),
    empty: 'No key stands out.',
  });
}

/** One more reading into the samples. Returns what control() gave. */
async function read(signal) {
  const answer = await control('GET', '/_/statistics', undefined, { signal });
  if (answer.status !== 200) return answer;
  const sample = reading && between(reading, answer.body);
  if (sample) keep(sample);
  reading = answer.body;
  readingAt = Date.now();
  return answer;
}

export const room = {
  title: () => 'Charts',

  async show(params, { main, signal }) {
    await loadStyle('live/live.css');
    if (reading && Date.now() - readingAt > kMostSamples * kInterval) reading = null;
    let charts = [];
    let paused = false;
    const grid = h('div', { class: 'charts' });
    const numbers = h('div', { class: 'stack' });
    const status = h('span', { class: 'quiet' });
    const showCharts = () => charts.forEach((chart) => chart.show(samples));
    const setWindow = (wanted) => {
      seconds = wanted;
      charts = makeCharts();
      replace(grid, charts.map(({ node }) => node));
      showCharts();
    };
    const length = select(kWindows, {
      value: String(seconds), 'aria-label': 'How far back', on: { change: () => setWindow(Number(length.value)) },
    });
    const pause = h('button', { 'aria-pressed': 'false', on: { click: () => {
      paused = !paused;
      pause.setAttribute('aria-pressed', String(paused));
    } } }, 'Pause');
    replace(main, h('div', { class: 'toolbar' }, h('h1', {}, 'Charts'), status, length, pause), grid, numbers);
    setWindow(seconds);
    const shown = () => {
      const newest = samples.at(-1);
      status.textContent = newest
        ? `Of the whole server${reading.namespaces > 1 ? `, all ${plural(reading.namespaces, 'namespace')}` : ''}` : 'The first rates come in a moment';
      showCharts();
      replace(numbers, operationsTable(reading, newest), hotKeysTable(reading));
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
        replace(main, noDial('Statistics', answer ?? { status: 0 }, connectionDialog));
        return;
      } else {
        status.textContent = answer?.body?.error ?? 'The server does not answer. Trying again.';
      }
      isFirst = false;
    }
    await sleep(kInterval, signal);
  }
}
