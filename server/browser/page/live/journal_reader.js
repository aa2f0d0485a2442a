// The request journal by long poll. Knows no page: `control(method, path, body, {signal})` is given.

const kWait = '20s';
const kPage = 500;

export function journalPath(namespace) {
  return `/_/namespaces/${encodeURIComponent(namespace)}/journal`;
}

/** The address of the records behind `after`; filters: {operation, table, status}, empty ones are left out. */
export function journalAddress(namespace, { after, limit = kPage, wait, format, filters = {} }) {
  const query = new URLSearchParams();
  if (after !== undefined) query.set('after', String(after));
  query.set('limit', String(limit));
  for (const [name, value] of Object.entries(filters)) if (value !== '') query.set(name, value);
  if (wait) query.set('wait', wait);
  if (format) query.set('format', format);
  return `${journalPath(namespace)}?${query}`;
}

export class JournalReader {
  after = 0;
  #waits = false;  // the first answer is to come at once

  constructor({ namespace, control, filters = {} }) {
    Object.assign(this, { namespace, control, filters });
  }

  /**
   * What came since the last call, waiting for it if there is nothing:
   * {status, body, records, missed}. `missed`: records that were dropped before they were read.
   */
  async next({ signal } = {}) {
    const wait = this.#waits ? kWait : undefined;
    const address = journalAddress(this.namespace, { after: this.after, wait, filters: this.filters });
    const { status, body } = await this.control('GET', address, undefined, { signal });
    if (status !== 200) return { status, body, records: [], missed: 0 };
    this.#waits = body.records.length < kPage;
    const missed = this.#missed(body);
    this.after = body.next ?? body.records.at(-1)?.number ?? this.after;
    return { status, body, records: body.records, missed };
  }

  // Without filters numbers follow each other, so a gap is what was dropped.
  #missed({ records }) {
    const filtered = Object.values(this.filters).some((value) => value !== '');
    if (filtered || this.after === 0 || records.length === 0) return 0;
    return Math.max(0, records[0].number - this.after - 1);
  }
}

/** What a record cost: reads and writes together. */
export function unitsOf({ consumed }) {
  return (consumed?.read_units ?? 0) + (consumed?.write_units ?? 0);
}

/** Answered with an error, or not answered at all: then its status is null. */
export function hasFailed({ status }) {
  return status === null || status >= 400;
}

/** Whether a record has all words of `text` in what names it. */
export function recordMatches(record, text) {
  const { operation, table, index, error, request_id: id, caller } = record;
  const all = [operation, table, index, error, id, caller?.access_key, caller?.address, record.status]
    .filter((each) => each !== null && each !== undefined).join(' ').toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}
