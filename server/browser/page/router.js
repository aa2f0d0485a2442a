// The address behind "#/" says which room is shown: tables/Orders/items?index=byDate.

let compiled = [];
let former = {};

// The rooms that addresses lead to, and addresses that stand for others (rooms.js). app.js gives them
// before all else: rooms use this module, so it must not import them.
export function defineRooms(rooms, formerPaths) {
  compiled = rooms.map((entry) => ({ entry, parts: entry.path.split('/') }))
    // A part that is written out wins over one that is given a name.
    .sort((a, b) => a.entry.path.split(':').length - b.entry.path.split(':').length);
  former = formerPaths;
}

function matchParts(parts, given) {
  if (parts.length !== given.length) return null;
  const params = {};
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = given[index];
    else if (part !== given[index]) return null;
  }
  return params;
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// -> {entry, params, path}; entry is null where there is no such room. `params.query` is the query
// as URLSearchParams.
export function currentPlace() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const given = (former[path] ?? (path || 'tables')).split('/').map(decode);
  for (const { entry, parts } of compiled) {
    const params = matchParts(parts, given);
    if (params) return { entry, path, params: { ...params, query: new URLSearchParams(query) } };
  }
  return { entry: null, path, params: { query: new URLSearchParams(query) } };
}

// 'tables/:table/items' and {table: 'a.b'} -> 'tables/a.b/items'
export function fillPath(pattern, params) {
  return pattern.split('/')
    .map((part) => (part.startsWith(':') ? encodeURIComponent(params[part.slice(1)]) : part)).join('/');
}

export function hrefTo(path) {
  return `#/${path}`;
}

let silent = false;

// Goes to a room. `replace`: leaves no step in the history; `quiet`: only the address changes, the
// room stays as it is and answers for what it shows.
export function navigate(path, { replace = false, quiet = false } = {}) {
  const address = hrefTo(path);
  if (quiet) {
    history[replace ? 'replaceState' : 'pushState'](null, '', address);
  } else if (replace || location.hash === address) {
    history.replaceState(null, '', address);
    reopen();
  } else {
    location.hash = address;
  }
}

// Shows the room of the address once more.
export function reopen() {
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

// Asks before a room with unsaved input is left: `guard()` resolves with whether it may be.
let guard = null;
export function guardLeaving(check, { signal } = {}) {
  guard = check;
  signal?.addEventListener('abort', () => { if (guard === check) guard = null; });
}

export function listenForPlaces(show) {
  window.addEventListener('hashchange', async (event) => {
    if (silent || (location.hash && !location.hash.startsWith('#/'))) return;
    const asked = guard;
    if (asked && !(await asked())) {
      if (guard !== asked) return; // the room was left meanwhile
      silent = true;
      history.replaceState(null, '', new URL(event.oldURL || location.href).hash || '#/');
      silent = false;
      return;
    }
    show();
  });
  show();
}
