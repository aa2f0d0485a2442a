// Line charts, drawn as SVG, each with a table of the same numbers for those who do not see it.

import { h, replace, s } from '../dom.js';
import { time } from '../format.js';
import { tableHead } from '../widgets.js';
import { areaOf, highestOf, pathOf, ticks } from './scale.js';

const kHeight = 160;  // pixels, as all lengths here: a chart is drawn as large as it is shown
const kFirstWidth = 480;
const kLeft = 58;
const kRight = 10;
const kTop = 10;
const kBottom = 22;
const kRowsOfTable = 12;
// Lines differ in dashes too, for those who do not tell the colours apart.
const kDashes = ['', '6 3', '2 3', '8 3 2 3', '1 4', '10 4'];

const dashes = (at) => kDashes[at] || null;
const clockTime = (at) => time(new Date(at), { timeStyle: 'medium' });

/**
 * A chart with a legend and a table. `series`: [{name, value: (sample) => number | null, since: (totals) => text}]
 * (at most six), `write`: a number as text. show(samples, totals) draws samples {at}, oldest first, of the last
 * `seconds`; what `since` makes of the totals since the server's start stands beside them. `limit`: (samples) => a
 * number that is drawn as a line, or null. `base` and `least`: of ticks(); `clips`: of highestOf(). `hidesQuiet`: it
 * shows only while something is not 0; `empty`: what it says where it has no number.
 */
export class Chart {
  #samples = [];
  #totals = null;
  #hovered = null;  // the sample under the pointer
  #width = kFirstWidth;

  constructor({
    title, series, write, seconds, limit = () => null, base = 10, least = 0, clips = false, hidesQuiet = false,
    empty = 'No data in this time range yet',
  }) {
    Object.assign(this, { title, series, write, seconds, limit, base, least, clips, hidesQuiet, empty });
    this.drawing = s('svg', { class: 'chart', 'aria-hidden': true });
    this.legend = h('table', { class: 'legend' });
    this.note = h('p', { class: 'hint', hidden: true });
    this.rows = h('tbody', {});
    this.table = h('details', { class: 'chart-table' },
      h('summary', {}, `${title} as a table`),
      h('table', { class: ['grid', 'words'] },
        h('caption', { class: 'off-screen' }, `${title}, newest first`),
        tableHead(['Time', ...series.map(({ name }) => [name])]), this.rows));
    this.node = h('section', { class: ['panel', 'chart-panel'], 'aria-label': title },
      h('header', {}, h('h2', {}, title)),
      h('div', { class: 'body' }, this.drawing, this.note, this.legend, this.table));
    this.table.addEventListener('toggle', () => this.table.open && this.#showRows());
    this.drawing.addEventListener('pointermove', (event) => this.#hover(event.offsetX));
    this.drawing.addEventListener('pointerleave', () => this.#hover(null));
    new ResizeObserver(() => this.#resize()).observe(this.drawing);
  }

  show(samples, totals) {
    this.#samples = samples;
    this.#totals = totals;
    this.#draw();
    this.#showLegend();
    if (this.table.open) this.#showRows();
  }

  /** Whether it is hidden, since all of it is 0. */
  get isQuiet() {
    return this.hidesQuiet && !this.#shown().some((sample) => this.series.some(({ value }) => value(sample) > 0));
  }

  get #end() {
    return this.#samples.at(-1)?.at ?? Date.now();
  }

  #shown() {
    const start = this.#end - this.seconds * 1000;
    return this.#samples.filter(({ at }) => at >= start);
  }

  #resize() {
    const { clientWidth } = this.drawing;
    if (clientWidth === 0 || clientWidth === this.#width) return;
    this.#width = clientWidth;
    this.#draw();
  }

  #x(at) {
    const across = this.#width - kLeft - kRight;
    return kLeft + across * (1 - (this.#end - at) / (this.seconds * 1000));
  }

  #hover(x) {
    const near = (sample) => Math.abs(this.#x(sample.at) - x);
    const shown = this.#shown().filter(({ gap }) => !gap);
    this.#hovered = x === null || shown.length === 0 ? null
      : shown.reduce((best, each) => (near(each) < near(best) ? each : best));
    this.#draw();
    this.#showLegend();
  }

  #draw() {
    this.node.hidden = this.isQuiet;
    const shown = this.#shown();
    const limit = this.limit(this.#samples);
    const values = shown.map((sample) => this.series.reduce((most, { value }) => {
      const each = value(sample);
      return each === null ? most : Math.max(most ?? 0, each);
    }, null));
    const isEmpty = values.every((value) => value === null);
    const marks = isEmpty ? [0] : ticks(Math.max(limit ?? 0, highestOf(values, this.clips)), this.base, this.least);
    const top = marks.at(-1) || 1;
    const down = kHeight - kTop - kBottom;
    const y = (number) => kTop + down * (1 - Math.min(number, top) / top);
    const right = this.#width - kRight;
    const points = this.series.map(({ value }) => shown.map((sample) => (
      [this.#x(sample.at), value(sample) === null ? null : y(value(sample))])));
    this.drawing.setAttribute('viewBox', `0 0 ${this.#width} ${kHeight}`);
    replace(this.drawing,
      marks.map((mark) => [
        s('line', { x1: kLeft, x2: right, y1: y(mark), y2: y(mark), class: 'rule' }),
        s('text', { x: kLeft - 8, y: y(mark) + 4, 'text-anchor': 'end', class: 'mark' }, this.write(mark)),
      ]),
      this.#times(),
      isEmpty && s('text', {
        x: kLeft + (right - kLeft) / 2, y: kTop + down / 2, 'text-anchor': 'middle', class: 'mark',
      }, this.empty),
      limit !== null && s('line', { x1: kLeft, x2: right, y1: y(limit), y2: y(limit), class: 'limit' }),
      points.length > 0 && s('path', { d: areaOf(points[0], y(0)), class: 'area' }),
      points.map((each, at) => (
        s('path', { d: pathOf(each), class: `line line-${at}`, 'stroke-dasharray': dashes(at) }))),
      this.#peaks(shown, values, top),
      this.#hovered && s('line', {
        x1: this.#x(this.#hovered.at), x2: this.#x(this.#hovered.at), y1: kTop, y2: kTop + down, class: 'pointer',
      }));
  }

  #times() {
    return [0, 0.5, 1].map((part) => s('text', {
      x: kLeft + (this.#width - kLeft - kRight) * part, y: kHeight - 5, class: 'mark',
      'text-anchor': part === 0 ? 'start' : part === 1 ? 'end' : 'middle',
    }, clockTime(this.#end - this.seconds * 1000 * (1 - part))));
  }

  // What is above the scale is marked at its upper edge, and the highest of it named.
  #peaks(shown, values, top) {
    const above = shown.map((sample, at) => ({ at: sample.at, value: values[at] })).filter(({ value }) => value > top);
    const highest = above.reduce((most, each) => (each.value > (most?.value ?? 0) ? each : most), null);
    this.note.hidden = highest === null;
    this.note.textContent = highest === null ? ''
      : `Peak above the scale: ${this.write(highest.value)} at ${clockTime(highest.at)}`;
    return above.map(({ at }) => s('path', { d: `M${this.#x(at) - 4},${kTop}h8l-4,-6z`, class: 'peak' }));
  }

  #showLegend() {
    const sample = this.#hovered ?? this.#samples.at(-1);
    const hasTotals = this.series.some(({ since }) => since);
    const head = (text) => h('th', { scope: 'col', class: 'number' }, text);
    const heads = [head(this.#hovered ? clockTime(this.#hovered.at) : 'Now'), hasTotals && head('Since start')];
    replace(this.legend, h('thead', {}, h('tr', {}, h('td', {}), heads)),
      h('tbody', {}, this.series.map(({ name, value, since }, at) => {
        const number = sample ? value(sample) : null;
        return h('tr', {},
          h('th', { scope: 'row' }, s('svg', { viewBox: '0 0 24 8', class: 'key', 'aria-hidden': true },
            s('path', { d: 'M0,4L24,4', class: `line line-${at}`, 'stroke-dasharray': dashes(at) })), name),
          h('td', { class: 'number' }, h('strong', {}, number === null ? '–' : this.write(number))),
          hasTotals && h('td', { class: ['number', 'quiet'] }, this.#totals && since ? since(this.#totals) : '–'));
      })));
  }

  #showRows() {
    const rows = this.#samples.slice(-kRowsOfTable).reverse();
    replace(this.rows, rows.map((sample) => h('tr', {},
      h('th', { scope: 'row' }, clockTime(sample.at)),
      this.series.map(({ value }) => {
        const number = value(sample);
        return h('td', { class: 'number' }, number === null ? '–' : this.write(number));
      }))));
  }
}
