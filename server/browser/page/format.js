// Numbers, sizes and times in the reader's locale. Numbers of items are not for these: they have up
// to 38 digits and are shown as they came.

const kBytes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
const formats = new Map();

function format(Kind, options) {
  const key = Kind.name + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Kind(undefined, options));
  return formats.get(key);
}

export function number(value, options = {}) {
  return format(Intl.NumberFormat, options).format(value);
}

// 2048 -> "2 kB", in steps of 1,024 as DynamoDB counts.
export function bytes(count) {
  let step = 0;
  while (count >= 1024 && step < kBytes.length - 1) {
    count /= 1024;
    ++step;
  }
  const unit = { style: 'unit', unit: kBytes[step], unitDisplay: step === 0 ? 'long' : 'short' };
  return number(count, { ...unit, maximumFractionDigits: count < 10 && step > 0 ? 1 : 0 });
}

// "0.03 ms", "2.4 ms", "12 ms", "1.2 s"
export function duration(milliseconds) {
  const seconds = milliseconds >= 1000;
  const value = seconds ? milliseconds / 1000 : milliseconds;
  const small = value < 1 ? 2 : 1;  // most operations take less than a tenth of a millisecond
  return number(value, {
    style: 'unit',
    unit: seconds ? 'second' : 'millisecond',
    maximumFractionDigits: value < 10 ? small : 0,
  });
}

// Capacity units: "0.5 units", "1 unit".
export function units(count) {
  return `${number(count, { maximumFractionDigits: 1 })} ${count === 1 ? 'unit' : 'units'}`;
}

// `count` of what is called `one`: "1 item", "2,000 items".
export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

// Of a Date, or of seconds since 1970 as DynamoDB writes them.
function toDate(value) {
  return value instanceof Date ? value : new Date(typeof value === 'number' ? value * 1000 : value);
}

export function time(value, options = { dateStyle: 'medium', timeStyle: 'medium' }) {
  const date = toDate(value);
  return Number.isNaN(date.getTime()) ? String(value) : format(Intl.DateTimeFormat, options).format(date);
}

export function clock(value) {
  return time(value, {
    hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3,
  });
}

// "3 minutes ago", "in 2 days"
export function ago(value, now = Date.now()) {
  const seconds = (toDate(value).getTime() - now) / 1000;
  const steps = [['year', 31557600], ['month', 2629800], ['day', 86400], ['hour', 3600], ['minute', 60]];
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return format(Intl.RelativeTimeFormat, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
