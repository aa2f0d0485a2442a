// A pasted template becomes tables.

import { h, replace } from '../dom.js';
import { fillPath, navigate } from '../router.js';
import { templateForm } from './template_form.js';

export const room = {
  title: () => 'Paste a template',

  async show(params, { main }) {
    const done = (names) => navigate(names.length === 1 ? fillPath('tables/:table', { table: names[0] }) : 'tables');
    replace(main, h('div', { class: ['stack', 'narrow'] },
      h('h1', {}, room.title()), templateForm({ done, rows: '18' })));
    main.querySelector('textarea').focus();
  },
};
