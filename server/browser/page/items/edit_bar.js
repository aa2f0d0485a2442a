// The changes of cells that are not saved yet: how many there are, and what is to be done with them.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { button, confirmDialog, notify } from '../widgets.js';
import { kMaxEdits } from './cell_edits.js';
import { reviewDialog } from './edit_review.js';
import { countElsewhere } from './edit_world.js';

const changesIn = (edits) => `${plural(edits.count, 'change')} in ${plural(edits.items, 'item')}`;

export function tellTooMany() {
  notify(`There are ${kMaxEdits} unsaved changes, which is the limit. Save or discard them first.`, { kind: 'bad' });
}

// Of changes that saving would not reach from here.
export function tellElsewhere(model) {
  const count = countElsewhere(model);
  if (count === 0) return;
  const changes = `${plural(count, 'unsaved change')} of ${model.name} ${count === 1 ? 'was' : 'were'}`;
  notify(`${changes} made in another namespace or region, or with another access key. Switch back to save.`);
}

export class EditBar {
  #model;
  #edits;
  #saved;
  #dropped;

  // saved(item): the item as it is now; dropped(): cells show what was read again.
  constructor(model, edits, { saved, dropped }) {
    this.#model = model;
    this.#edits = edits;
    this.#saved = saved;
    this.#dropped = dropped;
    this.text = h('span', { class: 'grow', role: 'status' });
    this.node = h('div', { class: 'edit-bar', hidden: true }, this.text,
      button('Review and save', () => this.review(), { class: 'primary', title: 'Ctrl S' }),
      button('Discard all', () => this.discard()));
    this.show();
  }

  get isEmpty() { return this.#edits.count === 0; }

  show() {
    this.node.hidden = this.isEmpty;
    const state = this.#edits.count === 1 ? ' is not saved yet.' : ' are not saved yet.';
    replace(this.text, !this.isEmpty && [h('strong', {}, changesIn(this.#edits)), state]);
  }

  async review() {
    if (this.isEmpty) return;
    await reviewDialog(this.#model, this.#edits, { saved: this.#saved });
    this.#dropped();
  }

  async discard() {
    const agreed = this.#edits.count === 1 || await this.#confirmLoss('Discard all changes?', 'Discard all');
    if (!agreed) return;
    this.#edits.clear();
    this.#dropped();
  }

  // Asks before unsaved changes are lost. -> whether the room may be left
  async mayLeave() {
    if (this.isEmpty) return true;
    const agreed = await this.#confirmLoss('Leave with unsaved changes?', 'Leave without saving');
    if (agreed) this.#edits.clear();
    return agreed;
  }

  #confirmLoss(title, confirm) {
    return confirmDialog({ title, message: `${changesIn(this.#edits)} will be lost.`, confirm, danger: true });
  }
}
