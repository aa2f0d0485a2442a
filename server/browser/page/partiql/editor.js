// The field for statements: coloured, with completion at the caret. Ctrl+Space asks for it, Tab or
// Enter takes it, Escape hides it.

import { h, replace } from '../dom.js';
import { visible } from '../values/preview.js';
import { complete } from './completion.js';
import { isKeyword, tokensOf } from './tokens.js';

const kMaxColoured = 20_000; // characters

const kColoured = ['string', 'number', 'comment', 'quoted'];
const classOf = (token) => (isKeyword(token) ? 'word' : kColoured.includes(token.type) ? token.type : null);

export class Editor {
  #options = [];
  #chosen = 0;
  #range = { from: 0, to: 0 };
  #world;
  #waits = false; // was something typed, and nothing chosen or hidden since?
  #run;

  // run(): Ctrl+Enter; changed(): after each change of the text or the caret.
  constructor(world, { run, changed }) {
    this.#world = world;
    this.#run = run;
    this.changed = changed;
    this.back = h('pre', { class: 'editor-back', 'aria-hidden': 'true' });
    this.list = h('ul', {
      class: 'completions', role: 'listbox', id: 'completions', 'aria-label': 'Completions', hidden: true,
    });
    this.area = h('textarea', {
      class: 'editor-text', rows: '5', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off',
      'aria-label': 'PartiQL statement', 'aria-controls': 'completions', 'aria-autocomplete': 'list',
      placeholder: 'SELECT * FROM "Table" WHERE key = \'\u2026\'',
      on: {
        input: () => this.#typed(), keydown: (event) => this.#key(event), scroll: () => this.#scrolled(),
        blur: () => setTimeout(() => document.activeElement !== this.area && this.#hide(), 150),
        click: () => this.#moved(),
        keyup: (event) => ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key) && this.#moved(),
      },
    });
    this.ruler = h('span', { class: 'editor-ruler', 'aria-hidden': 'true' }, '0000000000');
    this.node = h('div', { class: 'editor' }, this.back, this.area, this.list, this.ruler);
  }

  get text() { return this.area.value; }
  get caret() { return this.area.selectionStart; }

  write(text) {
    this.area.value = text;
    this.#colour();
    this.#hide();
    this.changed();
  }

  focus() { this.area.focus(); }

  #typed() {
    this.#waits = true;
    this.#colour();
    this.#offer(false);
    this.changed();
  }

  // More is known of the tables: what is being written may have completions now.
  refresh() {
    if (this.#waits && this.#options.length === 0 && document.activeElement === this.area) this.#offer(false);
  }

  #moved() {
    this.#waits = false;
    this.#hide();
    this.changed();
  }

  #colour() {
    const text = this.area.value;
    const coloured = (token) => (
      classOf(token) ? h('span', { class: `token-${classOf(token)}` }, token.text) : token.text);
    if (text.length > kMaxColoured) replace(this.back, text);
    else replace(this.back, tokensOf(text).map(coloured), '\n');
    this.#scrolled();
  }

  #scrolled() {
    this.back.scrollTop = this.area.scrollTop;
    this.back.scrollLeft = this.area.scrollLeft;
  }

  // asked: by Ctrl+Space; otherwise only when something is being written.
  #offer(asked) {
    const found = complete(this.text, this.caret, this.#world);
    const typing = found.from < this.caret || /[\s.,({=]/.test(this.text[this.caret - 1] ?? ' ');
    this.#options = asked || typing ? found.options : [];
    this.#range = found;
    this.#chosen = 0;
    this.#draw();
  }

  #draw() {
    const { length } = this.#options;
    this.list.hidden = length === 0;
    const option = ({ label, detail, kind }, index) => h('li', {
      role: 'option', id: `completion-${index}`, 'aria-selected': String(index === this.#chosen),
      on: { mousedown: (event) => {
        event.preventDefault();
        this.#chosen = index;
        this.#take();
      } },
    }, h('span', {}, visible(label)),
    h('span', { class: 'quiet' }, detail || (kind === 'word' || kind === 'symbol' ? '' : kind)));
    replace(this.list, this.#options.map(option));
    if (length === 0) {
      this.area.removeAttribute('aria-activedescendant');
      return;
    }
    this.area.setAttribute('aria-activedescendant', `completion-${this.#chosen}`);
    this.list.children[this.#chosen].scrollIntoView({ block: 'nearest' });
    this.#place();
  }

  // Beneath what is being written.
  #place() {
    const lines = this.text.slice(0, this.#range.from).split('\n');
    const wide = this.ruler.getBoundingClientRect().width / 10;
    const high = parseFloat(getComputedStyle(this.area).lineHeight);
    const left = 10 + lines.at(-1).length * wide - this.area.scrollLeft;
    this.list.style.setProperty('left', `${Math.max(0, Math.min(left, this.area.clientWidth - 240))}px`);
    this.list.style.setProperty('top', `${10 + lines.length * high - this.area.scrollTop}px`);
  }

  #hide() {
    this.#options = [];
    this.#draw();
  }

  #take() {
    this.#waits = false;
    const { text } = this.#options[this.#chosen];
    const { from, to } = this.#range;
    // A space follows, but where more of the same word comes.
    const space = /[({'.]$|: $/.test(text) || /^\s/.test(this.text.slice(to)) ? '' : ' ';
    this.area.setRangeText(text + space, from, to, 'end');
    this.#colour();
    this.#hide();
    this.changed();
    if (space || /^\s/.test(this.text.slice(this.caret))) this.#offer(false);
  }

  #key(event) {
    const control = event.ctrlKey || event.metaKey;
    const { length } = this.#options;
    const move = (by) => () => {
      this.#chosen = (this.#chosen + by + length) % length;
      this.#draw();
    };
    const listActions = {
      ArrowDown: move(1), ArrowUp: move(-1), Tab: () => this.#take(), Enter: () => this.#take(),
      Escape: () => this.#moved(),
    };
    const actions = control ? { Enter: this.#run, ' ': () => this.#offer(true) } : length > 0 ? listActions : {};
    if (!Object.hasOwn(actions, event.key) || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }
}
