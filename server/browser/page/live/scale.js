// Scales of charts (pure).

const kFew = 20;     // of so many samples one may be left out of a scale
const kTowers = 3;   // times the others
const kLeast = 5;    // samples, before any is left out

/**
 * Round numbers from 0 to at least `highest`, at most six of them, `least` or a multiple of it apart; `base` is
 * 10, or 2 for bytes.
 */
export function ticks(highest, base = 10, least = 0) {
  if (!(highest > 0)) return [0, 1];
  const rough = Math.max(highest / 4, least);
  const power = base ** Math.floor(Math.log(rough) / Math.log(base) + 1e-9);
  const step = (base === 2 ? [1, 2] : [1, 2, 2.5, 5, 10]).map((factor) => factor * power)
    .find((each) => each >= rough * (1 - 1e-9) && (least === 0 || each % least === 0));
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}

/**
 * What a scale has to reach for `values`, of which null is none. With `clips` a few that tower over all others
 * do not count, since they would press the rest flat: they are drawn at the upper edge.
 */
export function highestOf(values, clips = false) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => b - a);
  if (sorted.length === 0) return 0;
  const usual = sorted[Math.ceil(sorted.length / kFew)] ?? 0;
  const isClipped = clips && sorted.length >= kLeast && usual > 0 && sorted[0] > kTowers * usual;
  return isClipped ? usual * 1.25 : sorted[0];
}

/** "M0,1L2,3" of points [x, y]; where a value is null the line is cut. */
export function pathOf(points) {
  let path = '';
  let pen = 'M';
  for (const [x, y] of points) {
    if (y === null) {
      pen = 'M';
      continue;
    }
    path += `${pen}${Math.round(x * 10) / 10},${Math.round(y * 10) / 10}`;
    pen = 'L';
  }
  return path;
}

/** The same closed along `base`, as an area beneath the line. */
export function areaOf(points, base) {
  const parts = [[]];
  for (const point of points) {
    if (point[1] === null) parts.push([]);
    else parts.at(-1).push(point);
  }
  return parts.filter((part) => part.length > 1)
    .map((part) => `${pathOf([[part[0][0], base], ...part, [part.at(-1)[0], base]])}Z`).join('');
}
