// All rooms. A module is loaded when its room is first gone to, and exports
// `room = {title: (params) => string, show(params, {main, signal})}`.
// `path`: ":name" stands for one part of the address. `tab`: among the tabs of a table.
// `nav`: among the links at the left; `name`: linked elsewhere; `keys` lead there. `icon`: of icons.js.

export const rooms = [
  { path: 'tables', load: () => import('./tables/list.js'), nav: 'Tables', keys: 'g t', icon: 'tables' },
  { path: 'create', load: () => import('./tables/create.js') },
  { path: 'template', load: () => import('./tables/template_room.js') },
  { path: 'tables/:table', load: () => import('./tables/details.js'), tab: 'Overview', keys: 'g o', icon: 'overview' },
  { path: 'tables/:table/items', load: () => import('./items/room.js'), tab: 'Items', keys: 'g i', icon: 'items' },
  { path: 'partiql', load: () => import('./partiql/room.js'), nav: 'PartiQL', keys: 'g p', icon: 'partiql' },
  { path: 'tables/:table/stream', load: () => import('./live/stream_room.js'),
    tab: 'Stream', keys: 'g s', icon: 'stream' },
  { path: 'tables/:table/insights', load: () => import('./live/insights_room.js'),
    tab: 'Insights', keys: 'g k', icon: 'insights' },
  { path: 'requests', load: () => import('./live/journal_room.js'), nav: 'Requests', keys: 'g r', icon: 'requests' },
  { path: 'costs', load: () => import('./cost/room.js'), nav: 'Costs', keys: 'g c', icon: 'costs' },
  { path: 'charts', load: () => import('./live/charts_room.js'), nav: 'Charts', keys: 'g h', icon: 'charts' },
  { path: 'controls', load: () => import('./settings/settings_room.js'),
    nav: 'Test controls', keys: 'g d', icon: 'controls' },
  { path: 'namespaces', load: () => import('./settings/namespaces_room.js'),
    nav: 'Namespaces', keys: 'g n', icon: 'namespaces' },
  { path: 'help', load: () => import('./tables/help_room.js'), name: 'Docs', keys: 'g e', icon: 'help' },
];

// Addresses that rooms had before, for bookmarks.
export const formerPaths = { journal: 'requests', dials: 'controls' };
