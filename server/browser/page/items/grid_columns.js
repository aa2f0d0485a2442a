// The columns of the grid: which attributes have one, and how wide they are.

import { plural } from '../format.js';

const kMaxColumns = 200;
const kCharacter = 7.25; // pixels of a character of the grid's type
const kHeadCharacter = 7.8; // of a name in the head, which is bold
const kPadding = 21;
const kSortMark = 16; // beside the name
export const kMinWidth = 60;
const kMaxWidth = 340; // where the columns do not fit anyway
const kWideWidth = 800; // where there is room

const kNumberShare = 0.2; // of what a column of texts grows

const kOrder = new Intl.Collator(undefined, { numeric: true });

// Keys first, then what most items have.
export function chooseColumns(items, first) {
  const counts = new Map();
  for (const item of items) for (const name of Object.keys(item)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const others = [...counts].filter(([name]) => !first.includes(name))
    .sort(([a, x], [b, y]) => y - x || kOrder.compare(a, b)).map(([name]) => name);
  return [...first, ...others].slice(0, kMaxColumns);
}

// What chooseColumns left out, as a sentence; '' when nothing.
export function describeOthers(items, columns) {
  if (columns.length < kMaxColumns) return '';
  const shown = new Set(columns);
  const others = new Set(items.flatMap((item) => Object.keys(item).filter((name) => !shown.has(name))));
  if (others.size === 0) return '';
  return `${plural(others.size, 'attribute')} beyond the first ${kMaxColumns} `
    + `${others.size === 1 ? 'has' : 'have'} no column. Open an item to see all attributes.`;
}

// {narrow, wide, isNumbers}: pixels that a column takes where room is short, and those that show all of it.
export function measureColumn(name, texts, isNumbers = false) {
  const longest = texts.reduce((length, text) => Math.max(length, text?.length ?? 0), 0);
  const type = 4; // characters that name the type of a list
  const content = (longest > 20 ? longest + type : longest + 1) * kCharacter;
  const wide = Math.max(kMinWidth, Math.ceil(Math.max(name.length * kHeadCharacter + kSortMark, content)) + kPadding);
  return { narrow: Math.min(wide, kMaxWidth), wide: Math.min(wide, kWideWidth), isNumbers };
}

const sum = (list) => list.reduce((total, each) => total + each, 0);

// Shares out `spare` pixels by weight; the last that takes a share takes what rounding left.
function share(widths, weights, spare) {
  const total = sum(weights);
  const last = weights.findLastIndex((weight) => weight > 0);
  let left = spare;
  return widths.map((width, index) => {
    const part = index === last ? left : Math.floor(spare * weights[index] / total);
    left -= part;
    return width + part;
  });
}

// The widths of columns that fill `room` pixels. columns: [{narrow, wide, isNumbers, chosen}], chosen: a
// width that the reader dragged, which stays. Cut columns grow first, then all of them in proportion;
// numbers grow little, because they stand at the right and would be far from what is before them.
export function fitColumns(columns, room) {
  let widths = columns.map(({ narrow, chosen }) => chosen ?? narrow);
  const wanted = columns.map(({ wide, chosen }, index) => (chosen ? 0 : wide - widths[index]));
  const first = Math.min(room - sum(widths), sum(wanted));
  if (first > 0) widths = share(widths, wanted, first);
  const rest = room - sum(widths);
  const weights = columns.map(({ chosen, isNumbers }, index) => (
    chosen ? 0 : widths[index] * (isNumbers ? kNumberShare : 1)));
  return rest > 0 && sum(weights) > 0 ? share(widths, weights, rest) : widths;
}
