// Runs a saved query in the room that it belongs to.

import { fillPath, navigate } from '../router.js';

let waiting = null; // a query of PartiQL that its room is to run when it is shown

const partiqlPath = (query) => `partiql?${new URLSearchParams({ saved: query.id })}`;

export function runQuery(query) {
  if (query.kind === 'items') {
    navigate(fillPath('tables/:table/items', { table: query.table }) + (query.text ? `?${query.text}` : ''));
    return;
  }
  waiting = query;
  navigate(partiqlPath(query));
}

// Was this query asked to run? Only once, and only by the reader: an address alone runs nothing.
export function takesRun(id) {
  const isWaiting = waiting !== null && waiting.id === id;
  waiting = null;
  return isWaiting;
}
