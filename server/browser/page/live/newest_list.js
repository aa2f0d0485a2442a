// A table of what came, newest first, with the chosen entry beside it. Bounded: the oldest are dropped.

import { h, replace } from '../dom.js';
import { tableHead } from '../widgets.js';
import { Ring } from './ring.js';

const kFrame = 150;  // milliseconds between two updates of a list

/**
 * When a list is drawn anew: `draw()` is called a while after `soon()`, or at once by `now()`, but not
 * while the pointer is down on `node`, since a row that moves then is missed by the click.
 */
function makeFrames(node, draw) {
  let timer = 0;
  let isDown = false;
  const end = () => { isDown = false; };
  node.addEventListener('pointerdown', () => {
    isDown = true;
    for (const name of ['pointerup', 'pointercancel']) window.addEventListener(name, end, { once: true });
  });
  const soon = () => { timer ||= setTimeout(now, kFrame); };
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  function now() {
    stop();
    if (isDown) soon();
    else draw();
  }
  return { soon, now, stop };
}

/**
 * A list of one kind adds of its entries: `matches(entry)`, whether the filter lets it through; `cells(entry)`,
 * the cells of its row, one with a button; `contents(entry)`, the nodes beside the table when it is chosen.
 * `tell()` says why no row is shown.
 */
export class NewestList {
  #fresh = [];       // came since the page was updated, oldest first
  #chosen = null;
  #rowOf = new WeakMap();

  /**
   * `limits`: of a Ring; `rowLimit`: of rows in the page; `columns`: of tableHead(); `order`: compares two entries
   * that came at once.
   */
  constructor({ limits, rowLimit, label, columns, classes, chosen, order = () => 0 }) {
    Object.assign(this, { rowLimit, order });
    this.ring = new Ring(limits);
    this.rows = h('tbody', { on: { keydown: (event) => this.#move(event) } });
    this.frames = makeFrames(this.rows, () => this.update());
    this.empty = h('p', { class: 'quiet body' });
    this.below = h('p', { class: ['body', classes.below] });
    this.detail = h('section', { tabindex: '0', ...chosen });
    this.node = h('div', { class: ['tail', classes.node] },
      h('div', { class: ['changes', 'scroll', classes.scroll], tabindex: '0', role: 'group', 'aria-label': label },
        h('table', { class: ['grid', classes.table] }, h('caption', { class: 'off-screen' }, `${label}, newest first`),
          tableHead(columns), this.rows),
        this.empty, this.below),
      this.detail);
  }

  /** Keeps an entry of so many bytes; its row shows with the next update. */
  push(entry, size) {
    this.ring.push(entry, size);
    if (!this.matches(entry)) return;
    this.#fresh.push(entry);
    // An entry that would not be shown anyway is not kept for the page.
    if (this.#fresh.length > this.rowLimit) this.#fresh.shift();
  }

  /** Those that match, newest first. */
  * wanted() {
    for (const entry of this.ring.newest()) if (this.matches(entry)) yield entry;
  }

  clear() {
    this.ring.clear();
    this.rebuild();
    this.close();
  }

  rebuild() {
    const shown = [];
    for (const entry of this.wanted()) if (shown.push(this.#row(entry)) === this.rowLimit) break;
    this.#fresh = [];
    this.rows.replaceChildren(...shown);
    this.tell();
  }

  /** Shows what came; returns the newest of it. */
  update() {
    const fresh = this.#fresh.sort(this.order);
    this.#fresh = [];
    this.rows.prepend(...fresh.map((entry) => this.#row(entry)).reverse());
    while (this.rows.childElementCount > this.rowLimit) this.rows.lastElementChild.remove();
    this.tell();
    return fresh.at(-1);
  }

  choose(entry) {
    this.#unmark();
    this.#chosen = entry;
    const row = this.#row(entry);
    row.classList.add('chosen');
    row.querySelector('button').setAttribute('aria-current', 'true');
    replace(this.detail, this.contents(entry));
  }

  close() {
    this.#unmark();
    this.#chosen = null;
    replace(this.detail);
  }

  /** A click on its row. */
  picked(entry) {
    this.choose(entry);
  }

  #unmark() {
    const row = this.#rowOf.get(this.#chosen);
    row?.classList.remove('chosen');
    row?.querySelector('button').removeAttribute('aria-current');
  }

  #row(entry) {
    const made = this.#rowOf.get(entry);
    if (made) return made;
    const row = h('tr', { class: 'choice', on: { click: () => this.picked(entry) } }, this.cells(entry));
    this.#rowOf.set(entry, row);
    return row;
  }

  #move(event) {
    const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    const button = to && event.target.closest('tr')?.[to]?.querySelector('button');
    if (!button) return;
    event.preventDefault();
    button.focus();
    button.click();
  }
}
