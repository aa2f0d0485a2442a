// Deleting one item at once, and putting items back.

import { plural } from '../format.js';
import { notify, undo } from '../widgets.js';
import { removeItem, restoreItems } from './writes.js';

export async function restore(model, items, done) {
  const notice = notify(`Restoring ${plural(items.length, 'item')} \u2026`);
  const { restored, failed } = await restoreItems(model, items);
  notice.close();
  if (failed.length === 0) notify(`${plural(restored, 'item')} restored.`, { kind: 'good' });
  else notify(`${plural(failed.length, 'item')} not restored: ${failed[0].error.message}`, { kind: 'bad' });
  done();
}

// isWhole: is `item` all of it? Then it is deleted only as it was read. events: {show(item), gone(item), restored()}
export async function removeNow(model, item, isWhole, events) {
  const { removed, error, current } = await removeItem(model, item, { read: isWhole });
  if (!error) {
    events.gone(item);
    if (removed) undo('Deleted.', () => restore(model, [removed], events.restored));
  } else if (current) {
    notify('Another client changed this item after you read it. The item was not deleted.', {
      kind: 'bad', action: { label: 'Show item', run: () => events.show(current) },
    });
  } else if (error.type === 'ConditionalCheckFailedException') {
    notify('Another client already deleted this item.');
    events.gone(item);
  } else {
    notify(error.message, { kind: 'bad' });
  }
}
