// Queries that the reader named, kept by the browser for this address of the server. A query is
// {id, name, kind, table, text, summary, parameters}: of kind 'items', `text` is the query part of
// the room's address; of kind 'partiql', the statement, and `parameters` are [{kind, text}].

export const kMaxQueries = 100;
export const kMaxName = 100; // characters
const kMaxText = 10_000; // characters of a query with all its parts
const kKey = 'magneto-saved-queries';

const isText = (value) => typeof value === 'string';

function isQuery(entry) {
  return Boolean(entry) && typeof entry === 'object'
    && ['id', 'name', 'table', 'text', 'summary'].every((part) => isText(entry[part]))
    && ['items', 'partiql'].includes(entry.kind) && Array.isArray(entry.parameters)
    && entry.parameters.every((each) => each && isText(each.kind) && isText(each.text));
}

const sameName = (a, b) => a.trim().toLowerCase() === b.trim().toLowerCase();

export class SavedQueryError extends Error {}

export class SavedQueries {
  #storage;
  #newId;

  // storage: getItem and setItem as localStorage has them, which other pages of this address write too:
  // it is read anew each time.
  constructor(storage, newId = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2)) {
    this.#storage = storage;
    this.#newId = newId;
  }

  // By name. What is no query is passed over.
  list() {
    try {
      const kept = JSON.parse(this.#storage.getItem(kKey) ?? '[]');
      const found = Array.isArray(kept) ? kept.filter(isQuery).slice(0, kMaxQueries) : [];
      return found.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    } catch {
      return [];
    }
  }

  find(id) { return this.list().find((each) => each.id === id) ?? null; }
  named(name) { return this.list().find((each) => sameName(each.name, name)) ?? null; }

  #write(list) {
    try {
      this.#storage.setItem(kKey, JSON.stringify(list));
    } catch {
      throw new SavedQueryError('The browser cannot save the query. Its storage for this page is full or disabled.');
    }
  }

  #checkName(name) {
    if (name.trim() === '') throw new SavedQueryError('Type a name.');
    if (name.trim().length > kMaxName) throw new SavedQueryError(`A name has at most ${kMaxName} characters.`);
  }

  // query: {kind, table, text, summary, parameters}. One of the same name is replaced. -> the query as kept
  save(name, query) {
    this.#checkName(name);
    const { kind, table, text, summary = '', parameters = [] } = query;
    const id = this.named(name)?.id ?? this.#newId();
    const entry = { id, name: name.trim(), kind, table, text, summary, parameters };
    if (JSON.stringify(entry).length > kMaxText) {
      throw new SavedQueryError(`The query is too long. The limit is ${kMaxText} characters.`);
    }
    this.#put(entry);
    return entry;
  }

  rename(id, name) {
    this.#checkName(name);
    const other = this.named(name);
    if (other && other.id !== id) throw new SavedQueryError('A query with this name exists.');
    this.#write(this.list().map((each) => (each.id === id ? { ...each, name: name.trim() } : each)));
  }

  // -> the one that was deleted, null when there was none
  remove(id) {
    const found = this.find(id);
    this.#write(this.list().filter((each) => each.id !== id));
    return found;
  }

  // What remove() gave back, as it was.
  restore(query) {
    this.#put(query);
  }

  // Adds an entry, or replaces the one of its id.
  #put(entry) {
    const others = this.list().filter((each) => each.id !== entry.id);
    if (others.length >= kMaxQueries) {
      throw new SavedQueryError(`There are ${kMaxQueries} saved queries, which is the limit. Delete one first.`);
    }
    this.#write([...others, entry]);
  }
}
