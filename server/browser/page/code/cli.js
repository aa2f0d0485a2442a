// A request as a command of the AWS CLI, versions 1 and 2, for bash.

import { kStreamOperations } from '../operations.js';

const kMaxArgument = 100000; // bash passes at most 128 KiB as one argument

export const kebab = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
  .toLowerCase();

const kSafe = /^[A-Za-z0-9_./:@%+,-]+$/;
const kControl = /[\u0000-\u001f\u007f]/;

// Control characters in a word of bash are written as $'\n'.
export function shellWord(text) {
  if (kSafe.test(text) && !text.startsWith('-')) return text;
  if (!kControl.test(text.replaceAll('\n', ''))) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, '\\$&')
    .replace(/[\u0000-\u001f\u007f]/g, (each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}

// What cannot be seen is escaped in JSON, so that the command reads as it runs.
const kUnseen =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
export const safeJson = (value, indent) => JSON.stringify(value, null, indent).replace(kUnseen, (character) => (
  character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')));

export function option(name, value) {
  const flag = `--${kebab(name)}`;
  if (value === true) return flag;
  if (value === false) return `--no-${kebab(name)}`;
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : safeJson(value);
  const word = shellWord(text);
  return typeof value === 'string' && value.startsWith('-') ? `${flag}=${word}` : `${flag} ${word}`;
}

// Version 1 takes binary values literally, and would encode them once more.
const kBinaryNote = '# for version 2 of the AWS CLI: version 1 cannot send binary values\n';
function hasBinary(value) {
  if (Array.isArray(value)) return value.some(hasBinary);
  if (typeof value !== 'object' || value === null) return false;
  const [[name, content] = []] = Object.entries(value);
  const alone = Object.keys(value).length === 1;
  const isBinary = (name === 'B' && typeof content === 'string') || (name === 'BS' && Array.isArray(content));
  return (alone && isBinary) || Object.values(value).some(hasBinary);
}

export function writeCli({ operation, input }, { endpoint, region, accessKeyId = null, secretAccessKey = 'any' }) {
  const note = hasBinary(input) ? kBinaryNote : '';
  const keys = accessKeyId
    ? `AWS_ACCESS_KEY_ID=${shellWord(accessKeyId)} AWS_SECRET_ACCESS_KEY=${shellWord(secretAccessKey)} \\\n` : '';
  const service = kStreamOperations.has(operation) ? 'dynamodbstreams' : 'dynamodb';
  const start = `${note}${keys}aws ${service} ${kebab(operation)}`
    + ` --endpoint-url ${shellWord(endpoint)} --region ${shellWord(region)}`;
  // An option of its own where it is long or where a file name would be read instead of a text.
  const asFile = Object.values(input).some((value) => (typeof value === 'string'
    ? value.length > kMaxArgument || /^(file|fileb|https?):\/\//.test(value)
    : safeJson(value).length > kMaxArgument));
  if (asFile) return `${start} \\\n  --cli-input-json file:///dev/stdin <<'JSON'\n${safeJson(input, 2)}\nJSON\n`;
  return `${[start, ...Object.entries(input).map(([name, value]) => option(name, value))].join(' \\\n  ')}\n`;
}
