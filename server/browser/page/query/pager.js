// Pages of a Query or Scan, of any number of items: a page is a place to start from, and only a few
// answers are kept. Where a filter leaves little, a page is filled from several requests.

const kKeptAnswers = 6;
const kMaxRequests = 25; // for a page; then it asks whether to read on

export class Pager {
  #read; // (startKey, limit, signal) -> {items, last, cost}
  #size;
  #filtered;
  #answers = new Map(); // start key as JSON -> answer
  #pages = [{ start: null, skip: 0 }]; // where each page begins

  // filtered: a Limit would count what the filter leaves out, so none is sent.
  constructor(read, { size, filtered }) {
    this.#read = read;
    this.#size = size;
    this.#filtered = filtered;
  }

  async #answer(start, signal, cost) {
    const key = JSON.stringify(start);
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = await this.#read(start, this.#filtered ? undefined : this.#size, signal);
    cost.requests += 1;
    cost.units += answer.units;
    cost.scanned += answer.scanned;
    cost.milliseconds += answer.milliseconds;
    this.#answers.set(key, answer);
    if (this.#answers.size > kKeptAnswers) this.#answers.delete(this.#answers.keys().next().value);
    return answer;
  }

  // {items, number, more, paused, cost}: more: there may be a page after it; paused: reading stopped
  // early, and the same call reads on. progress(cost, count) is called after each answer.
  async page(number, { signal, progress } = {}) {
    let { start, skip, items = [] } = this.#pages[number];
    items = [...items];
    const cost = { requests: 0, units: 0, scanned: 0, milliseconds: 0 };
    for (let rounds = 0; ; rounds += 1) {
      if (rounds === kMaxRequests) {
        this.#pages[number] = { ...this.#pages[number], start, skip, items };
        return { items, number, more: true, paused: true, cost };
      }
      const answer = await this.#answer(start, signal, cost);
      const taken = answer.items.slice(skip, skip + this.#size - items.length);
      items.push(...taken);
      progress?.(cost, items.length);
      const rest = skip + taken.length < answer.items.length;
      const next = rest ? { start, skip: skip + taken.length } : answer.last ? { start: answer.last, skip: 0 } : null;
      if (items.length === this.#size || !next) {
        if (next) this.#pages[number + 1] ??= next;
        return { items, number, more: Boolean(next), paused: false, cost };
      }
      ({ start, skip } = next);
    }
  }
}
