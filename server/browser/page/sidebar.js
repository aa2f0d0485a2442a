// The left side: the product and its server, namespace, rooms, tables.

import { h, on, replace } from './dom.js';
import { control, session } from './client.js';
import { catalog } from './catalog.js';
import { number } from './format.js';
import { icon, mark } from './icons.js';
import { shortcut } from './keys.js';
import { currentPlace, fillPath, hrefTo, navigate } from './router.js';
import { rooms } from './rooms.js';
import { copyIcon, notify } from './widgets.js';

const kShown = 300; // tables that are listed at once; the search finds the others
const kNamespaceHint = 'A namespace is a separate set of tables for tests that run in parallel';

function showNamespaces(choice, names) {
  const all = [...new Set(['main', session.namespace, ...names])];
  replace(choice, all.map((name) => h('option', { value: name }, name)));
  choice.value = session.namespace;
}

async function fillNamespaces(choice) {
  // The current one shows at once, and the others when the server has listed them.
  showNamespaces(choice, [...choice.options].map(({ value }) => value));
  await session.ready;
  const { status, body } = session.has('namespaces') || session.status?.control
    ? await control('GET', '/_/namespaces') : { status: 0 };
  const names = status === 200 ? body.namespaces.map((each) => each.name) : [];
  if (status === 200 && !names.includes(session.namespace)) {
    notify(`The namespace ${session.namespace} no longer exists.`);
    session.setNamespace('main');
    return;
  }
  showNamespaces(choice, names);
  choice.closest('.namespace').hidden = choice.length < 2 && status !== 200;
}

function makeNamespaces() {
  const choice = h('select', {
    id: 'namespace', title: kNamespaceHint, on: { change: () => session.setNamespace(choice.value) },
  });
  const node = h('div', { class: 'namespace', hidden: true },
    h('label', { class: 'side-label', for: 'namespace', title: kNamespaceHint }, 'Namespace'), choice);
  const fill = () => fillNamespaces(choice);
  fill();
  on(choice, 'focus', fill);
  session.on('namespace', fill);
  session.on('token', fill);
  return node;
}

// What this is, of which version, and where it listens.
function makeBrand(closeButton) {
  const version = h('span', { class: 'version', hidden: true });
  const show = () => {
    version.textContent = session.status?.version ?? '';
    version.title = `Version ${version.textContent}`;
    version.hidden = version.textContent === '';
  };
  session.on('status', show);
  show();
  return h('div', { class: 'brand-block' },
    h('div', { class: 'brand-row' },
      h('a', { class: 'brand', href: '#/tables' }, mark(), h('span', {}, 'Magneto')), version, closeButton),
    h('div', { class: 'server' },
      h('code', { class: 'address', title: `Endpoint: ${location.origin}` }, location.host),
      copyIcon(location.origin, 'Copy the endpoint'),
      h('a', {
        class: 'docs', href: '#/help', 'aria-label': 'Docs', title: 'Connection examples and documentation',
      }, icon('help'), h('span', {}, 'Docs'))));
}

function makeTables(reveal) {
  const search = h('input', {
    type: 'search', placeholder: 'Search tables', 'aria-label': 'Search tables',
    autocomplete: 'off', spellcheck: 'false',
  });
  const list = h('ul', { class: 'table-list' });
  const total = h('span', { class: 'count' });
  const count = h('p', { class: 'quiet off-screen', 'aria-live': 'polite' });
  const found = () => {
    const words = search.value.trim().toLowerCase().split(/\s+/);
    return catalog.names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
  };
  const show = () => {
    const names = found();
    const { params, entry } = currentPlace();
    const pattern = entry?.tab ? entry.path : 'tables/:table/items';
    replace(list, names.slice(0, kShown).map((name) => h('li', {}, h('a', {
      href: hrefTo(fillPath(pattern, { table: name })), title: name,
      'aria-current': name === params.table ? 'true' : null,
    }, name))), names.length > kShown && h('li', { class: 'quiet' }, `${names.length - kShown} more: use the search`));
    total.textContent = catalog.names.length > 0 ? number(catalog.names.length) : '';
    count.textContent = search.value ? `${names.length} tables found` : '';
  };
  on(search, 'input', show);
  on(search, 'keydown', (event) => {
    if (event.key === 'Enter' && found().length > 0) list.querySelector('a').click();
    if (event.key === 'Escape') search.value = '';
    if (event.key === 'Escape') show();
    if (event.key === 'ArrowDown') list.querySelector('a')?.focus();
  });
  on(list, 'keydown', (event) => {
    const by = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
    if (!by) return;
    event.preventDefault();
    (event.target.closest('li')[by]?.querySelector('a') ?? search).focus();
  });
  catalog.onChange(show);
  on(window, 'hashchange', show);
  session.on('namespace', () => catalog.load());
  session.on('credentials', () => catalog.load());
  shortcut('/', 'Search tables', () => {
    reveal();
    search.focus();
  });
  const add = h('button', {
    class: ['plain', 'new'], title: 'New table', 'aria-label': 'New table', on: { click: () => navigate('create') },
  }, icon('plus'));
  return [h('div', { class: 'side-head' }, h('span', { class: 'side-label' }, 'Tables ', total), add), search, count,
    h('nav', { 'aria-label': 'Tables' }, list)];
}

function makeRooms() {
  const links = rooms.filter((entry) => entry.nav);
  const list = h('ul', {});
  const show = () => replace(list, links.map((entry) => h('li', {}, h('a', {
    href: hrefTo(entry.path), 'aria-current': currentPlace().entry === entry ? 'page' : null,
  }, icon(entry.icon), entry.nav))));
  show();
  on(window, 'hashchange', show);
  return h('nav', { class: 'rooms', 'aria-label': 'Pages' }, list);
}

/** `drawer()`: what opens and closes it on a narrow screen, {open, close}. */
export function makeSidebar(drawer) {
  const close = h('button', {
    class: ['plain', 'close-menu'], 'aria-label': 'Close the menu', on: { click: () => drawer().close() },
  }, icon('close'));
  return h('aside', { class: 'side', id: 'side', 'aria-label': 'Tables and pages' },
    makeBrand(close), makeNamespaces(), makeRooms(), makeTables(() => drawer().open()));
}
