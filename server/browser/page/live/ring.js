// The newest of many, bounded in number and in bytes.

export class Ring {
  #entries = [];  // {value, size}, oldest first
  #first = 0;     // entries before it are dropped
  #bytes = 0;
  dropped = 0;

  constructor({ count, bytes }) {
    this.limits = { count, bytes };
  }

  get length() {
    return this.#entries.length - this.#first;
  }

  get bytes() {
    return this.#bytes;
  }

  /** Keeps `value` of `size` bytes, and drops the oldest over the limits; the newest always stays. */
  push(value, size) {
    this.#entries.push({ value, size });
    this.#bytes += size;
    while (this.length > 1 && (this.length > this.limits.count || this.#bytes > this.limits.bytes)) this.#drop();
    if (this.#first > 1024 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }

  #drop() {
    this.#bytes -= this.#entries[this.#first].size;
    this.#entries[this.#first] = undefined;
    ++this.#first;
    ++this.dropped;
  }

  clear() {
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
    this.dropped = 0;
  }

  /** Newest first. */
  * newest() {
    for (let at = this.#entries.length - 1; at >= this.#first; --at) yield this.#entries[at].value;
  }

  /** Oldest first. */
  * [Symbol.iterator]() {
    for (let at = this.#first; at < this.#entries.length; ++at) yield this.#entries[at].value;
  }
}
