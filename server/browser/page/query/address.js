// The choice as the query part of the page's address, so that a view can be kept, sent and reached by
// the back button.

import { emptyChoice } from './builder.js';

export function writeAddress(choice) {
  const words = new URLSearchParams();
  if (choice.index) words.set('index', choice.index);
  if (choice.mode === 'scan') words.set('scan', '1');
  choice.partition.forEach((value, index) => {
    if (value !== undefined && value !== '') words.set(index === 0 ? 'pk' : `pk${index + 1}`, value);
  });
  choice.sort.forEach((each, index) => {
    if (!each || each.value === undefined || each.value === '') return;
    const texts = [each.operator, each.value, ...(each.operator === 'between' ? [each.second ?? ''] : [])];
    words.set(index === 0 ? 'sk' : `sk${index + 1}`, JSON.stringify(texts));
  });
  for (const { path, operator, type, value, second } of choice.filters) {
    words.append('filter', JSON.stringify([path, operator, type, value ?? '', second ?? '']));
  }
  if (choice.any) words.set('any', '1');
  for (const column of choice.columns) words.append('column', column);
  if (choice.descending) words.set('order', 'descending');
  if (choice.consistent) words.set('consistent', '1');
  return words;
}

// What somebody wrote by hand may be anything: what makes no sense is passed over.
function list(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : null;
  } catch {
    return null;
  }
}

function sortOf(text) {
  const parts = list(text);
  if (!parts) return { operator: '=', value: text };
  const [operator = '=', value = '', second = ''] = parts;
  return { operator, value, second };
}

export function readAddress(words) {
  const choice = emptyChoice(words.get('index') || null);
  if (words.get('scan') === '1') choice.mode = 'scan';
  for (let number = 1; number <= 4; number += 1) {
    const suffix = number === 1 ? '' : number;
    const partition = words.get(`pk${suffix}`);
    if (partition !== null) choice.partition[number - 1] = partition;
    const sort = words.get(`sk${suffix}`);
    if (sort !== null) choice.sort[number - 1] = sortOf(sort);
  }
  for (const text of words.getAll('filter')) {
    const parts = list(text);
    if (!parts) continue;
    choice.filters.push({
      path: parts[0] ?? '', operator: parts[1] ?? '=', type: parts[2] ?? 'S',
      value: parts[3] ?? '', second: parts[4] ?? '',
    });
  }
  choice.any = words.get('any') === '1';
  choice.columns = words.getAll('column');
  choice.descending = words.get('order') === 'descending';
  choice.consistent = words.get('consistent') === '1';
  return choice;
}
