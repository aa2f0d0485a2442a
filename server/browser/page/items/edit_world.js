// Changes of cells outlive the room where it is shown again: for another query of the same table, or
// after signing in. Each table has its own, for one namespace, region and access key.

import { session } from '../client.js';
import { CellEdits } from './cell_edits.js';

const kMaxWorlds = 4;

const worldOf = ({ name, keys }) => (
  JSON.stringify([session.namespace, session.region, session.credentials.accessKeyId, name, keys]));

const worlds = new Map(); // world -> {table, edits}

export function editsFor(model) {
  const world = worldOf(model);
  const edits = worlds.get(world)?.edits ?? new CellEdits(model.keys);
  worlds.delete(world);
  for (const [each, entry] of worlds) if (entry.edits.count === 0 || worlds.size >= kMaxWorlds) worlds.delete(each);
  worlds.set(world, { table: model.name, edits });
  return edits;
}

// Do these still belong to the table that a request would reach now?
export const belongHere = (model, edits) => worlds.get(worldOf(model))?.edits === edits;

// How many changes of a table of this name were made in another namespace, in another region or with other keys.
export function countElsewhere(model) {
  const world = worldOf(model);
  return [...worlds].filter(([each, { table }]) => each !== world && table === model.name)
    .reduce((sum, [, { edits }]) => sum + edits.count, 0);
}
