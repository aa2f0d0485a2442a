// Makes a table; with ?from=Orders like one that is there.

import { catalog } from '../catalog.js';
import { debounce, h, replace } from '../dom.js';
import { icon } from '../icons.js';
import { fillPath, hrefTo, navigate } from '../router.js';
import { busy, codeTabs, emptyState, errorBox, notify } from '../widgets.js';
import { createInput, emptyDefinition, laterCalls } from './definition.js';
import { definitionForm } from './definition_form.js';
import { createTable, definitionOfState, loadTable } from './table_state.js';
import { allForms } from './templates.js';

async function firstDefinition(from, signal) {
  if (!from) return emptyDefinition();
  const { error, ...state } = await loadTable(from, { signal });
  if (error) {
    notify(error.message, { kind: 'bad' });
    return emptyDefinition();
  }
  return { ...definitionOfState(state), name: `${from}-copy` };
}

export const room = {
  title: ({ query }) => (query.has('from') ? `Copy of ${query.get('from')}` : 'New table'),

  async show({ query }, { main, signal }) {
    const definition = await firstDefinition(query.get('from'), signal);
    const answer = h('div', { 'aria-live': 'polite' });
    const preview = h('div', {});
    const showPreview = () => replace(preview, definition.name
      ? codeTabs(allForms(definition, location.origin), { label: 'Definition for other tools' })
      : emptyState('Definition for other tools',
        'Name the table to get its definition for CloudFormation, Terraform and the AWS CLI.'));
    const changed = debounce(showPreview);
    const button = h('button', { class: 'primary', type: 'submit' }, 'Create the table');
    const submit = async (event) => {
      event.preventDefault();
      const create = () => createTable(createInput(definition), laterCalls(definition));
      const { error, isMade } = await busy(button, create);
      replace(answer, error && errorBox(error));
      if (!isMade) return;
      await catalog.load();
      if (error) notify(`${definition.name} was created, but a setting failed: ${error.message}`, { kind: 'bad' });
      else notify(`${definition.name} was created.`, { kind: 'good' });
      navigate(fillPath('tables/:table', { table: definition.name }));
    };
    replace(main, h('div', { class: 'with-preview' },
      h('form', { class: 'stack wide-gap', on: { submit } },
        h('div', { class: 'row' }, h('h1', { class: 'grow' }, room.title({ query })),
          !query.has('from')
            && h('a', { class: 'button', href: hrefTo('template') }, icon('template'), 'Paste a template')),
        definition.besides.length > 0
          && h('p', { class: 'notice' }, `The copy does not include ${definition.besides.join(', ')}.`),
        definitionForm(definition, changed), answer, h('div', { class: 'row' }, button)),
      h('aside', { 'aria-label': 'Definition for other tools' }, preview)));
    showPreview();
    main.querySelector('input').focus();
  },
};
