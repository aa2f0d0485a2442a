// The test controls of the current namespace: clock, state, consistency, faults.

import { h, replace } from '../dom.js';
import { session } from '../client.js';
import { loadStyle } from '../style_sheet.js';
import { clockPanel } from './clock_panel.js';
import { consistencyPanel } from './consistency_panel.js';
import { faultsPanel } from './faults_panel.js';
import { statePanel } from './state_panel.js';

export const room = {
  title: () => 'Test controls',

  async show(params, { main, signal }) {
    await Promise.all([loadStyle('settings/settings.css'), session.ready]);
    const { namespace } = session;
    const panels = [clockPanel, statePanel, consistencyPanel, faultsPanel].map((make) => make({ namespace, signal }));
    const [clock, state, consistency, faults] = panels.map(({ node }) => node);
    replace(main,
      h('div', { class: 'toolbar' }, h('h1', {}, `Test controls of ${namespace}`),
        h('a', { class: 'button', href: '#/namespaces' }, 'Namespaces and snapshots')),
      h('div', { class: 'settings' },
        h('div', { class: 'stack' }, clock, state), h('div', { class: 'stack' }, consistency, faults)));
    await Promise.all(panels.map((panel) => panel.load()));
  },
};
