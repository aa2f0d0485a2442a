// All rooms. A module is loaded when its room is first gone to, and exports
// `room = {title: (params) => string, show(params, {main, signal})}`.
// `path`: ":name" stands for one part of the address. `tab`: among the tabs of a table.
// `nav`: among the links at the left; `keys` lead there.

export const rooms = [
  { path: 'tables', load: () => import('./tables/list.js'), nav: 'Tables', keys: 'g t' },
  { path: 'create', load: () => import('./tables/create.js') },
  { path: 'tables/:table', load: () => import('./tables/details.js'), tab: 'Overview', keys: 'g o' },
  { path: 'tables/:table/items', load: () => import('./items/room.js'), tab: 'Items', keys: 'g i' },
  { path: 'partiql', load: () => import('./partiql/room.js'), nav: 'PartiQL', keys: 'g p' },
  { path: 'tables/:table/stream', load: () => import('./live/stream_room.js'), tab: 'Stream', keys: 'g s' },
  { path: 'tables/:table/insights', load: () => import('./live/insights_room.js'), tab: 'Insights', keys: 'g k' },
  { path: 'journal', load: () => import('./live/journal_room.js'), nav: 'Journal', keys: 'g j' },
  { path: 'charts', load: () => import('./live/charts_room.js'), nav: 'Charts', keys: 'g h' },
  { path: 'namespaces', load: () => import('./dials/namespaces_room.js'), nav: 'Namespaces', keys: 'g n' },
  { path: 'dials', load: () => import('./dials/dials_room.js'), nav: 'Dials', keys: 'g d' },
];
