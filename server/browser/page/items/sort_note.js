// Says how the grid is sorted, and that only the items that are loaded are.

import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { button } from '../widgets.js';
import { visible } from '../values/preview.js';

export class SortNote {
  constructor(grid) {
    this.grid = grid;
    this.node = h('div', { class: 'sort-note', role: 'status', hidden: true });
  }

  // isAll: are the items of the grid all that there are?
  show({ isAll }) {
    const { sort, items } = this.grid;
    this.node.hidden = !sort || items.length === 0;
    if (this.node.hidden) {
      replace(this.node);
      return;
    }
    const order = sort.descending ? 'descending' : 'ascending';
    const shown = plural(items.length, 'item');
    replace(this.node, h('span', { class: 'grow' }, `Sorted by ${visible(sort.name)}, ${order}: `,
      isAll ? `all ${shown} are loaded.` : h('strong', {}, `only the ${shown} on this page, not the whole table.`)),
    button('Original order', () => {
      this.grid.sortBy(null);
      this.grid.focus();
    }, { class: 'small' }));
  }
}
