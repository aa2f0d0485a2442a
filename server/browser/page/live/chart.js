// Line charts, drawn as SVG, each with a table of the same numbers for those who do not see it.

import { h, replace, s } from '../dom.js';
import { time } from '../format.js';

const kWidth = 480;
const kHeight = 140;
const kLeft = 56;
const kRight = 8;
const kTop = 8;
const kBottom = 20;
const kRowsOfTable = 12;
// Lines differ in dashes too, for those who do not tell the colours apart.
const kDashes = ['', '6 3', '2 3', '8 3 2 3', '1 4', '10 4'];

/** Round numbers from 0 to at least `highest`, at most six of them, `least` or a multiple of it apart; `base` is 10, or 2 for bytes. */
export function ticks(highest, base = 10, least = 0) {
  if (!(highest > 0)) return [0, 1];
  const rough = Math.max(highest / 4, least);
  const power = base ** Math.floor(Math.log(rough) / Math.log(base) + 1e-9);
  const step = (base === 2 ? [1, 2] : [1, 2, 2.5, 5, 10]).map((factor) => factor * power)
    .find((each) => each >= rough * (1 - 1e-9) && (least === 0 || each % least === 0));
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/** "M0,1L2,3" of points [x, y]; where a value is null the line is cut. */
export function pathOf(points) {
  let path = '';
  let pen = 'M';
  for (const [x, y] of points) {
    if (y === null) {
      pen = 'M';
      continue;
    }
    path += `${pen}${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
    pen = 'L';
  }
  return path;
}

/**
 * A chart with a legend and a table. `series`: [{name, value: (sample) => number | null}] (at most
 * six), `write`: a number as text. show(samples) draws samples {at}, oldest first, of the last
 * `seconds`. `limit`: (samples) => a number that is drawn as a line, or null. `base` and `least`: of ticks().
 */
export function makeChart({ title, series, write, seconds, limit = () => null, base = 10, least = 0 }) {
  const drawing = s('svg', { viewBox: `0 0 ${kWidth} ${kHeight}`, class: 'chart', 'aria-hidden': true });
  const legend = h('ul', { class: 'legend' });
  const body = h('tbody', {});
  const table = h('details', { class: 'chart-table' },
    h('summary', {}, `${title} as a table`),
    h('table', { class: 'grid' },
      h('caption', { class: 'off-screen' }, `${title}, newest first`),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Time'),
        series.map(({ name }) => h('th', { scope: 'col', class: 'number' }, name)))), body));
  const node = h('section', { class: 'panel chart-panel', 'aria-label': title },
    h('header', {}, h('h2', {}, title)),
    h('div', { class: 'body' }, drawing, legend, table));

  function show(samples) {
    draw(drawing, samples, { series, write, seconds, base, least, limit: limit(samples) });
    showLegend(legend, samples.at(-1), { series, write });
    if (table.open) showRows(body, samples, { series, write });
  }
  let latest = [];
  table.addEventListener('toggle', () => table.open && showRows(body, latest, { series, write }));
  return { node, show(samples) { latest = samples; show(samples); } };
}

function showLegend(legend, sample, { series, write }) {
  replace(legend, series.map(({ name, value }, at) => {
    const number = sample ? value(sample) : null;
    return h('li', {},
      s('svg', { viewBox: '0 0 24 8', class: 'key', 'aria-hidden': true },
        s('path', { d: 'M0,4L24,4', class: `line line-${at}`, 'stroke-dasharray': kDashes[at] || null })),
      h('span', {}, name), ' ', h('strong', { class: 'number' }, number === null ? '–' : write(number)));
  }));
}

function showRows(body, samples, { series, write }) {
  const rows = samples.slice(-kRowsOfTable).reverse();
  replace(body, rows.map((sample) => h('tr', {},
    h('th', { scope: 'row' }, time(new Date(sample.at), { timeStyle: 'medium' })),
    series.map(({ value }) => {
      const number = value(sample);
      return h('td', { class: 'number' }, number === null ? '–' : write(number));
    }))));
}

function draw(drawing, samples, { series, write, seconds, base, least, limit }) {
  const end = samples.at(-1)?.at ?? Date.now();
  const highest = Math.max(limit ?? 0, ...samples.flatMap((sample) => series.map(({ value }) => value(sample) ?? 0)));
  const marks = ticks(highest, base, least);
  const top = marks.at(-1);
  const across = kWidth - kLeft - kRight;
  const down = kHeight - kTop - kBottom;
  const x = (at) => kLeft + across * (1 - (end - at) / (seconds * 1000));
  const y = (number) => kTop + down * (1 - number / top);
  const lines = series.map(({ value }, at) => {
    const points = samples.filter((sample) => x(sample.at) >= kLeft)
      .map((sample) => [x(sample.at), value(sample) === null ? null : y(value(sample))]);
    return s('path', { d: pathOf(points), class: `line line-${at}`, 'stroke-dasharray': kDashes[at] || null });
  });
  replace(drawing,
    marks.map((mark) => [
      s('line', { x1: kLeft, x2: kWidth - kRight, y1: y(mark), y2: y(mark), class: 'rule' }),
      s('text', { x: kLeft - 6, y: y(mark) + 3.5, 'text-anchor': 'end', class: 'mark' }, write(mark)),
    ]),
    [0, 0.5, 1].map((part) => s('text', {
      x: kLeft + across * part, y: kHeight - 5, class: 'mark',
      'text-anchor': part === 0 ? 'start' : part === 1 ? 'end' : 'middle',
    }, time(new Date(end - seconds * 1000 * (1 - part)), { timeStyle: 'medium' }))),
    limit !== null && s('line', { x1: kLeft, x2: kWidth - kRight, y1: y(limit), y2: y(limit), class: 'limit' }),
    lines);
}
