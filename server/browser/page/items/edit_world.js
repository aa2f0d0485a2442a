// Changes of cells outlive the room where it is shown again: for another query of the same table, or
// after signing in. Those of one table are kept, for one reader of one namespace.

import { session } from '../client.js';
import { CellEdits } from './cell_edits.js';

const worldOf = (model) => JSON.stringify([session.namespace, session.region, session.credentials.accessKeyId, model.name, model.keys]);

let kept = { world: '', edits: null };

export function editsFor(model) {
  const world = worldOf(model);
  if (kept.world !== world) kept = { world, edits: new CellEdits(model.keys) };
  return kept.edits;
}

// Do these still belong to the tables that a request would reach now?
export const belongHere = (model, edits) => kept.edits === edits && kept.world === worldOf(model);
