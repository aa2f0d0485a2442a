// Small pieces of the live rooms.

import { h } from '../dom.js';
import { tableHead } from '../widgets.js';

/** Resolves after a while, at once when `signal` aborts. */
export function sleep(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done);
  });
}

/** A table with a title. columns: of tableHead(); rows: lists of cells. */
export function listOf({ caption, columns, rows, empty }) {
  return h('section', { class: 'panel', 'aria-label': caption },
    h('header', {}, h('h2', {}, caption)),
    rows.length === 0 ? h('p', { class: 'body quiet' }, empty)
      : h('div', { class: 'scroll' }, h('table', { class: ['grid', 'words'] }, tableHead(columns),
        h('tbody', {}, rows.map((cells) => h('tr', {},
          cells.map((cell, at) => h('td', { class: Array.isArray(columns[at]) && 'number' }, cell))))))));
}

/** A switch that stays pressed: {node, isOn}. */
export function toggle(label, { on = false, change, title = null }) {
  let state = on;
  const node = h('button', { 'aria-pressed': String(on), title, on: { click: () => set(!state) } }, label);
  function set(value) {
    state = value;
    node.setAttribute('aria-pressed', String(value));
    change(value);
  }
  return { node, set, get isOn() { return state; } };
}

/**
 * Waits while closed: `await gate.open()` resolves at once when it is open, or when `signal` aborts.
 */
export function makeGate(signal) {
  let closed = null;
  let pass = () => {};
  const gate = {
    close() { closed ??= new Promise((resolve) => { pass = resolve; }); },
    release() {
      closed = null;
      pass();
    },
    open: () => closed ?? Promise.resolve(),
  };
  signal.addEventListener('abort', gate.release);
  return gate;
}

/** Tells screen readers from time to time how much has come, never each piece. */
export function makeAnnouncer(say, milliseconds = 5000) {
  let count = 0;
  let timer = 0;
  return {
    count(more) {
      count += more;
      if (count === 0 || timer !== 0) return;
      timer = setTimeout(() => {
        say(count);
        count = 0;
        timer = 0;
      }, milliseconds);
    },
    stop: () => clearTimeout(timer),
  };
}
