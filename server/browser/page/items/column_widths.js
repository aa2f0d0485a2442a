// The widths of the grid's columns: they fill the grid, and the reader can drag them.

import { h, replace } from '../dom.js';
import { fitColumns, kMinWidth, measureColumn } from './grid_columns.js';

const kPickWidth = 30;

export class ColumnWidths {
  #names = [];
  #measures = [];
  #chosen = new Map(); // by name, as they were dragged
  #widths = [];
  #room = 0;
  #table;

  constructor(table, scroller) {
    this.#table = table;
    this.node = h('colgroup');
    new ResizeObserver(([{ contentRect }]) => this.#resized(Math.floor(contentRect.width))).observe(scroller);
  }

  // texts(index): of the cells of a column; isNumbers(name): are all its values numbers?
  show(names, texts, isNumbers) {
    this.#names = names;
    this.#measures = names.map((name, index) => measureColumn(name, texts(index), isNumbers(name)));
    replace(this.node, h('col'), names.map(() => h('col')));
    this.node.firstElementChild.style.setProperty('width', `${kPickWidth}px`);
    this.#widths = [];
    this.#fit();
  }

  #resized(room) {
    if (room === this.#room) return;
    this.#room = room;
    this.#fit();
  }

  // Only what differs is set, so that a page of many items is laid out once.
  #fit() {
    const columns = this.#measures.map((measure, index) => (
      { ...measure, chosen: this.#chosen.get(this.#names[index]) }));
    const widths = fitColumns(columns, this.#room - kPickWidth);
    widths.forEach((width, index) => {
      if (width !== this.#widths[index]) this.node.children[index + 1].style.setProperty('width', `${width}px`);
    });
    this.#widths = widths;
    this.#table.style.setProperty('width', `${widths.reduce((sum, width) => sum + width, kPickWidth)}px`);
  }

  // Dragged by its right edge. The other columns stay as they are, but for the last, which takes the
  // room that is left.
  drag(event, index) {
    event.preventDefault();
    const handle = event.target;
    const start = this.#widths[index] - event.clientX;
    this.#names.slice(0, -1).forEach((name, each) => this.#chosen.set(name, this.#widths[each]));
    handle.setPointerCapture(event.pointerId);
    const move = (each) => {
      this.#chosen.set(this.#names[index], Math.max(kMinWidth, Math.round(start + each.clientX)));
      this.#fit();
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
  }
}
