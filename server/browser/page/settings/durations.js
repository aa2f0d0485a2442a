// Durations as the control interface writes them: "250ms", "10s", "1h30m", "7d".

const kUnits = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1000], ['ms', 1]];
const kForm = /^-?(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+$/;

/** In milliseconds; null for another text. */
export function readDuration(text) {
  const trimmed = text.trim();
  if (!kForm.test(trimmed)) return null;
  const sizes = new Map(kUnits);
  let sum = 0;
  for (const [, count, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g)) {
    sum += Number(count) * sizes.get(unit);
  }
  return trimmed.startsWith('-') ? -sum : sum;
}

/** The form of `milliseconds` with the fewest parts: 90000 -> "1m30s". */
export function writeDuration(milliseconds) {
  if (milliseconds === 0) return '0s';
  let rest = Math.abs(Math.round(milliseconds));
  let text = milliseconds < 0 ? '-' : '';
  for (const [unit, size] of kUnits) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}

export const kDurationHint = 'For example 10s, 1h30m or 7d';

/** Why a text is no duration that the control interface takes, or null. */
export function durationProblem(text) {
  const milliseconds = readDuration(text);
  if (milliseconds === null) return `${kDurationHint}.`;
  return milliseconds < 0 ? 'The duration must not be negative.' : null;
}
