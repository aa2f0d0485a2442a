// What a server without tables shows: its endpoint, and three ways to begin.

import { h } from '../dom.js';
import { session } from '../client.js';
import { icon } from '../icons.js';
import { navigate } from '../router.js';
import { loadStyle } from '../style_sheet.js';
import { busy, notify } from '../widgets.js';
import { connectCode, endpointLine } from './connect_code.js';
import { templateForm } from './template_form.js';

function way(title, picture, ...content) {
  return h('section', { class: ['panel', 'way'], 'aria-label': title },
    h('header', {}, icon(picture), h('h2', {}, title)), h('div', { class: ['body', 'stack'] }, content));
}

function exampleButton(refresh) {
  const button = h('button', {
    on: {
      click: () => busy(button, async () => {
        const { makeExample } = await import('./example.js');
        const error = await makeExample();
        if (error) notify(error.message, { kind: 'bad' });
        await refresh();
      }),
    },
  }, 'Create an example');
  return button;
}

/** `refresh()` shows the tables that were made. */
export async function firstScreen({ refresh }) {
  await Promise.all([loadStyle('tables/tables.css'), session.ready]);
  const { namespace } = session;
  return h('div', { class: 'first' },
    h('div', { class: 'first-head' },
      h('h1', {}, namespace === 'main' ? 'There are no tables yet' : `There are no tables in ${namespace} yet`),
      h('p', { class: 'quiet' }, 'Magneto is ready for requests. Choose how to start:'),
      endpointLine()),
    h('div', { class: 'ways' },
      way('New table', 'plus',
        h('p', { class: 'quiet' },
          'Create a table with your keys and indexes, or an example table with eight items.'),
        h('div', { class: 'row' },
          h('button', { class: 'primary', on: { click: () => navigate('create') } }, 'New table'),
          exampleButton(refresh))),
      way('Paste a template', 'template', templateForm({ done: refresh, rows: '8' })),
      way('Connect your code', 'code', connectCode())));
}
