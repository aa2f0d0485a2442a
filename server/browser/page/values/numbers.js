// Numbers as DynamoDB keeps them: up to 38 digits, magnitudes 1E-130 to below 1E126. They stay text:
// a JavaScript Number would lose digits.

const kForm = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?$/;
const kMaxDigits = 38;
const kMaxExponent = 125;
const kMinExponent = -130;

// {negative, digits, exponent}: 0.digits... times 10 to the exponent + 1, digits without zeros at
// either end; digits is '' for zero. Null when the text is no number.
function parse(text) {
  const match = kForm.exec(text.trim());
  if (!match) return null;
  const [, sign, mantissa, power = '0'] = match;
  const [whole, fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const digits = all.replace(/^0+/, '');
  // No text is long enough to bring an exponent of ten digits back into the range.
  const shift = power.replace(/^[+-]?0*/, '').length > 9 ? (power.startsWith('-') ? -1e10 : 1e10) : Number(power);
  const exponent = shift + whole.length - (all.length - digits.length) - 1;
  return { negative: sign === '-', digits: digits.replace(/0+$/, ''), exponent };
}

// Why DynamoDB would not take the text as a number; null when it does.
export function numberProblem(text) {
  const number = parse(text);
  if (!number) return text.trim() === '' ? 'A number is missing.' : 'This is not a number.';
  if (number.digits === '') return null;
  if (number.digits.length > kMaxDigits) {
    return `A number has at most ${kMaxDigits} digits. This number has ${number.digits.length}.`;
  }
  if (number.exponent > kMaxExponent) return 'The number is too large. It must be below 1E126.';
  if (number.exponent < kMinExponent) return 'The number is too close to zero. The minimum is 1E-130.';
  return null;
}

export const isNumber = (text) => numberProblem(text) === null;

// As DynamoDB answers: no exponent, no zeros that say nothing.
export function canonical(text) {
  const { negative, digits, exponent } = parse(text);
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

// Below, equal to, or above zero, as a is to b.
export function compareNumbers(a, b) {
  const [x, y] = [parse(a), parse(b)];
  const signs = [x, y].map(({ negative, digits }) => (digits === '' ? 0 : negative ? -1 : 1));
  if (signs[0] !== signs[1] || signs[0] === 0) return signs[0] - signs[1];
  const size = x.exponent !== y.exponent ? x.exponent - y.exponent
    : x.digits === y.digits ? 0 : x.digits < y.digits ? -1 : 1;
  return size === 0 ? 0 : signs[0] * size;
}

export const sameNumber = (a, b) => compareNumbers(a, b) === 0;

export const significantDigits = (text) => parse(text)?.digits.length ?? 0;
