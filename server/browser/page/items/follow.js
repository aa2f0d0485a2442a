// Where a value leads: items of this table or another that have it as their key.

import { fillPath, hrefTo } from '../router.js';
import { emptyChoice } from '../query/builder.js';
import { writeAddress } from '../query/address.js';
import { kKeyTypes, contentOf, typeOf } from '../values/types.js';

export function itemsPath(table, choice) {
  const words = writeAddress(choice).toString();
  return fillPath('tables/:table/items', { table }) + (words ? `?${words}` : '');
}

const addressOf = (table, source, value) => (
  hrefTo(itemsPath(table, { ...emptyChoice(source.name), partition: [contentOf(value)] })));

const hasKey = ({ partition }, value) => partition.length === 1 && partition[0].type === typeOf(value);

const leads = (source, name, value) => (
  hasKey(source, value) && source.partition[0].name === name && contentOf(value) !== '');

// Addresses of items of this table: [{label, href, source}]. A table without sort key has one item for
// a value of its key, the one that the value is in.
export function linksFor(model, name, value) {
  if (!kKeyTypes.includes(typeOf(value))) return [];
  return model.sources
    .filter((source) => leads(source, name, value) && (source.kind === 'global' || source.sort.length > 0))
    .map((source) => ({ label: source.name ?? 'table', href: addressOf(model.name, source, value), source }));
}

// Other tables whose key, or whose index's, has the type of this value; those named alike first.
export function tablesFor(models, own, name, value) {
  const found = models.filter((model) => model.name !== own).flatMap(({ name: table, sources }) => (
    sources.filter((source) => source.kind !== 'local' && hasKey(source, value)).map((source) => {
      const [{ name: key }] = source.partition;
      const label = source.name ? `${table}, ${source.name}` : table;
      return { label, key, href: addressOf(table, source, value), alike: alikeness(table, key, name) };
    })));
  return found.sort((a, b) => b.alike - a.alike);
}

// customerId of Orders is likely customerId or id of Customers.
function alikeness(table, key, name) {
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const [t, k, n] = [table, key, name].map(plain);
  if (k === n) return 3;
  const stem = n.replace(/(id|key|no|number)$/, '');
  return stem.length > 1 && t.includes(stem) ? 2 : 0;
}
