// Prices and marks as text, and the request for a report (pure).

import { number } from '../format.js';

export const kModes = [['on_demand', 'On demand'], ['provisioned', 'Provisioned']];
export const kRegions = ['us-east-1', 'eu-west-1', 'eu-central-1'];

const kMarks = { scan: 'Scan', wide_filter: 'Wide filter', n_plus_one: 'N+1 reads', hot_key: 'Hot key' };

export const markText = (mark) => kMarks[mark] ?? mark;

/** "$1.64", "$0.0123" below a dollar, a dash where the price is not known. */
export function dollars(price) {
  if (price === null || price === undefined) return '–';
  const digits = price !== 0 && price < 1 ? 4 : 2;
  return number(price, {
    style: 'currency', currency: 'USD', minimumFractionDigits: digits, maximumFractionDigits: digits,
  });
}

/** A number of calls a second as it was typed; null if it is none. */
export function rateOf(text) {
  const rate = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(rate) && rate >= 0 && rate <= 1e9 ? rate : null;
}

/**
 * The body of a request. choice: {rate, region, table, rates, accessKey}, of which `rates` is a Map from pattern to
 * calls a second. `known`: the names of the patterns that the last report had.
 */
export function reportRequest(choice, known, format = 'json') {
  const rates = [...choice.rates].filter(([name]) => known.has(name));
  return {
    format, region: choice.region, calls_per_second: choice.rate, except_access_key: choice.accessKey,
    ...(choice.table && { table: choice.table }),
    ...(rates.length > 0 && { rates: Object.fromEntries(rates) }),
  };
}
