// A field in the place of a cell of the grid. Enter and Tab take what was typed, Escape leaves the
// value as it was; a value that DynamoDB would refuse is not taken.

import { h, replace } from '../dom.js';
import { valueFromText } from '../values/edit.js';
import { contentOf, typeOf, valueProblem } from '../values/types.js';
import { select } from '../widgets.js';

const kMaxLines = 8;

function fieldFor(value, label) {
  const type = typeOf(value);
  const props = { 'aria-label': label, class: 'mono', autocomplete: 'off', spellcheck: 'false' };
  if (type === 'BOOL') return select(['true', 'false'], { ...props, value: String(value.BOOL) });
  if (type === 'N') return h('input', { ...props, inputmode: 'decimal', value: value.N });
  const lines = contentOf(value).split('\n').length;
  return h('textarea', { ...props, rows: String(Math.min(kMaxLines, lines)), wrap: 'off', value: contentOf(value) });
}

export class CellEditor {
  #value;
  #done;
  #isOpen = true;

  // done(value, move): value is null when nothing is to change; move: 'stay', 'next', 'previous', or
  // 'leave' when the focus went elsewhere.
  constructor(cell, { value, label, done }) {
    this.#value = value;
    this.#done = done;
    this.field = fieldFor(value, label);
    this.problem = h('span', { class: 'cell-problem', role: 'alert' });
    this.node = h('div', { class: 'cell-editor', on: {
      keydown: (event) => this.#key(event), focusout: (event) => this.#left(event),
      click: (event) => event.stopPropagation(), dblclick: (event) => event.stopPropagation(),
    } }, this.field, this.problem);
    this.field.addEventListener('input', () => this.#tell(null));
    cell.classList.add('editing');
    replace(cell, this.node);
    this.#place(cell);
    this.field.focus();
    this.field.select?.();
  }

  // Wider than a narrow cell, and to the left of its right edge where there is no room to the right.
  #place(cell) {
    const scroller = cell.closest('.grid-scroll');
    if (!scroller) return;
    const [inner, outer] = [this.node.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const hasRoom = cell.getBoundingClientRect().right - inner.width >= outer.left;
    this.node.classList.toggle('to-left', inner.right > outer.right && hasRoom);
  }

  #read() {
    // The field writes all ends of lines as one character: an untouched text is the value itself.
    const { value: text } = this.field;
    const before = typeOf(this.#value) === 'BOOL' ? String(this.#value.BOOL) : contentOf(this.#value);
    return text === before ? null : valueFromText(typeOf(this.#value), text);
  }

  #tell(message) {
    replace(this.problem, message);
    if (message) this.field.setAttribute('aria-invalid', 'true');
    else this.field.removeAttribute('aria-invalid');
  }

  // -> whether the value was taken
  commit(move = 'stay') {
    const value = this.#read();
    const problem = value && valueProblem(value);
    if (problem) {
      this.#tell(problem);
      if (move !== 'leave') this.field.focus();
      return false;
    }
    this.#end(value, move);
    return true;
  }

  // For a grid that is drawn anew: what can be taken is taken.
  close() {
    if (this.#isOpen && !this.commit('leave')) this.#end(null, 'leave');
  }

  #end(value, move) {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#done(value, move);
  }

  #left({ relatedTarget }) {
    if (!this.node.contains(relatedTarget) && this.#isOpen) this.commit('leave');
  }

  #key(event) {
    if (event.isComposing) return;
    const control = event.ctrlKey || event.metaKey;
    const lineBreak = this.field.tagName === 'TEXTAREA' && (event.shiftKey || event.altKey);
    const actions = {
      Enter: () => this.commit(),
      Tab: () => this.commit(event.shiftKey ? 'previous' : 'next'),
      Escape: () => this.#end(null, 'stay'),
    };
    if (control && event.key === 's') {
      this.commit();
      return; // the room goes on with it
    }
    event.stopPropagation();
    if (event.key === 'Enter' && lineBreak) {
      if (event.altKey) {
        event.preventDefault();
        this.field.setRangeText('\n', this.field.selectionStart, this.field.selectionEnd, 'end');
      }
      this.field.rows = Math.min(kMaxLines, this.field.value.split('\n').length + (event.altKey ? 0 : 1));
    } else if (Object.hasOwn(actions, event.key) && !control) {
      event.preventDefault();
      actions[event.key]();
    }
  }
}
