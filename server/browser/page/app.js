// Starts the page: the frame around the rooms, and the room of the address.

import { h, replace } from './dom.js';
import { session } from './client.js';
import { catalog } from './catalog.js';
import { makeDrawer } from './drawer.js';
import { icon } from './icons.js';
import { allShortcuts, listenForShortcuts, shortcut } from './keys.js';
import { currentPlace, defineRooms, fillPath, hrefTo, listenForPlaces, navigate } from './router.js';
import { formerPaths, rooms } from './rooms.js';
import { makeSidebar } from './sidebar.js';
import { applyTheme, switchTheme } from './theme.js';
import { closeDialogs, dialog, emptyState, notify } from './widgets.js';

const main = h('main', { id: 'main', tabindex: '-1' });
const crumbs = h('nav', { class: 'crumbs', 'aria-label': 'Breadcrumb' });
const heading = h('h1', { class: ['room-title', 'off-screen'] });
const tabs = h('nav', { class: 'tabs', 'aria-label': 'Table sections' });
let leave = () => {};
let lastTable = '';

// Once left without keys, the dialog is opened by its button alone.
let wasLeft = false;

async function connect(reason = null) {
  const { connectionDialog } = await import('./connection.js');
  await connectionDialog(reason);
}

function listenForSignIn() {
  session.on('credentials', () => { wasLeft = false; });
  session.on('sign-in', (error) => {
    if (!wasLeft) connect(error);
    wasLeft = true;
  });
}

function showHelp() {
  const groups = Map.groupBy(allShortcuts(), (entry) => entry.group);
  const row = (entry) => h('tr', {},
    h('th', { scope: 'row' },
      entry.keys.split(' ').map((key) => [h('kbd', {}, key.replace('Control+', 'Ctrl ')), ' '])),
    h('td', {}, entry.label));
  const content = h('div', { class: 'shortcuts' }, [...groups].map(([group, entries]) => h('section', {},
    h('h3', {}, group), h('table', {}, h('tbody', {}, entries.map(row))))));
  return dialog({ title: 'Keyboard shortcuts', content, wide: true });
}

function makeTop(menu) {
  const button = (label, picture, run, text = null) => h('button', {
    class: 'plain', title: label, 'aria-label': label, on: { click: run },
  }, icon(picture), text && h('span', { class: 'wide-only' }, text));
  return h('header', { class: 'top' }, menu, heading, crumbs,
    button('Connection', 'connection', () => connect(), 'Connection'),
    button('Switch theme', 'theme', switchTheme), button('Keyboard shortcuts', 'keyboard', showHelp));
}

function showCrumbs({ params }, title) {
  heading.textContent = title;
  const link = (path, text) => h('a', { href: hrefTo(path) }, text);
  const parts = [link('tables', session.namespace)];
  if (params.table) parts.push(link(fillPath('tables/:table', params), params.table));
  if (title !== params.table) parts.push(h('span', { 'aria-current': 'page' }, title));
  replace(crumbs, h('ol', {}, parts.map((part) => h('li', {}, part))));
}

function showTabs({ entry, params }) {
  const list = params.table && entry?.tab ? rooms.filter((each) => each.tab) : [];
  tabs.hidden = list.length === 0;
  replace(tabs, list.map((each) => h('a', {
    href: hrefTo(fillPath(each.path, params)), 'aria-current': each === entry ? 'page' : null,
  }, icon(each.icon), each.tab)));
}

async function showRoom() {
  closeDialogs();
  leave();
  const place = currentPlace();
  const stay = new AbortController();
  let cleanup = null;
  leave = () => {
    stay.abort();
    cleanup?.();
  };
  replace(main);
  if (place.params.table) lastTable = place.params.table;
  showTabs(place);
  if (!place.entry) {
    showCrumbs(place, 'Not found');
    replace(main, emptyState('Page not found', 'The data browser has no page at this address.',
      h('a', { class: 'button', href: '#/tables' }, 'Tables')));
    return;
  }
  try {
    const { room } = await place.entry.load();
    if (stay.signal.aborted) return;
    const title = room.title(place.params);
    document.title = `${[...new Set([title, place.params.table].filter(Boolean))].join(' · ')} · Magneto`;
    showCrumbs(place, title);
    cleanup = await room.show(place.params, { main, signal: stay.signal, query: place.params.query });
    if (stay.signal.aborted) cleanup?.();
  } catch (error) {
    if (error.name === 'AbortError') return;
    replace(main, emptyState('This page did not load', String(error.message ?? error)));
    throw error;
  }
}

function addShortcuts() {
  shortcut('?', 'Show keyboard shortcuts', showHelp);
  shortcut('g c', 'Open the connection settings', () => connect());
  shortcut('g m', 'Move the focus to the content', () => main.focus());
  for (const entry of rooms) {
    if (!entry.keys) continue;
    const run = () => {
      const params = { table: currentPlace().params.table || lastTable };
      if (entry.tab && !params.table) notify('Open a table first.');
      else navigate(fillPath(entry.path, params));
    };
    const group = entry.tab ? 'In a table' : 'Everywhere';
    shortcut(entry.keys, `Go to ${entry.nav ?? entry.tab ?? entry.name}`, run, { group });
  }
  listenForShortcuts();
}

function start() {
  applyTheme();
  defineRooms(rooms, formerPaths);
  const side = makeSidebar(() => drawer);
  const content = h('div', { class: 'content' });
  const drawer = makeDrawer(side, content);
  content.append(makeTop(drawer.button), tabs, main);
  document.body.append(side, drawer.veil, content);
  addShortcuts();
  listenForSignIn();
  window.addEventListener('unhandledrejection', (event) => {
    if (event.reason?.name === 'AbortError') event.preventDefault();
    else notify(`The page has an error: ${event.reason?.message ?? event.reason}`, { kind: 'bad' });
  });
  session.on('namespace', () => {
    drawer.close();
    navigate('tables');
  });
  session.on('credentials', () => showRoom());
  session.on('token', () => showRoom());
  catalog.load();
  listenForPlaces(showRoom);
}

start();
