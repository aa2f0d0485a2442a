// SHA-256 and HMAC: by WebCrypto where the page has it, which is over HTTPS and on this machine;
// else by the loop below, so that a page of http://server:8000 can sign too.

const kInitial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const kBlock = 64;

function firstPrimes(count) {
  const primes = [];
  for (let n = 2; primes.length < count; ++n) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
const kRounds = firstPrimes(64).map((prime) => {
  const root = Math.cbrt(prime);
  return Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
});

const rotate = (word, by) => (word >>> by) | (word << (32 - by));

function schedule(view, offset) {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; ++i) words[i] = view.getUint32(offset + 4 * i);
  for (let i = 16; i < 64; ++i) {
    const [a, b] = [words[i - 15], words[i - 2]];
    const low = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const high = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  return words;
}

function compress(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; ++i) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + kRounds[i] + words[i]) >>> 0;
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) >>> 0; });
}

export function sha256InPage(bytes) {
  const size = Math.ceil((bytes.length + 9) / kBlock) * kBlock;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, (bytes.length << 3) >>> 0);
  const state = [...kInitial];
  for (let offset = 0; offset < size; offset += kBlock) compress(state, schedule(view, offset));
  const result = new Uint8Array(32);
  state.forEach((word, i) => new DataView(result.buffer).setUint32(4 * i, word));
  return result;
}

function joined(a, b) {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

export function hmacInPage(key, bytes) {
  const short = key.length > kBlock ? sha256InPage(key) : key;
  const pad = (value) => Uint8Array.from({ length: kBlock }, (_, i) => (short[i] ?? 0) ^ value);
  return sha256InPage(joined(pad(0x5c), sha256InPage(joined(pad(0x36), bytes))));
}

const subtle = globalThis.crypto?.subtle;

export async function sha256(bytes) {
  if (!subtle) return sha256InPage(bytes);
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

export async function hmac(key, bytes) {
  if (!subtle) return hmacInPage(key, bytes);
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, bytes));
}

export function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
