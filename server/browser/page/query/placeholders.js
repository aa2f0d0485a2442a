// The names and values of an expression: each path and value once, `#city` for the attribute city,
// `:v1` for a value. Names are always placeholders, so that no attribute name means anything else.

export class Placeholders {
  #names = new Map();
  #values = new Map();
  #taken = new Set();

  // path: attribute names and list positions.
  path(path) {
    return path.reduce((text, step) => (
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text && '.'}${this.name(step)}`), '');
  }

  name(name) {
    if (!this.#names.has(name)) {
      const plain = name.replace(/[^A-Za-z0-9_]/g, '').slice(0, 40);
      this.#names.set(name, this.#free(`#${plain || 'n'}`));
    }
    return this.#names.get(name);
  }

  // hint: what the value is about, such as the name of its attribute.
  value(value, hint = 'v') {
    const key = JSON.stringify(value);
    if (!this.#values.has(key)) {
      const plain = hint.replace(/[^A-Za-z0-9_]/g, '').slice(0, 40) || 'v';
      this.#values.set(key, { word: this.#free(`:${plain}`), value });
    }
    return this.#values.get(key).word;
  }

  #free(word) {
    let free = word;
    for (let number = 2; this.#taken.has(free); number += 1) free = `${word}${number}`;
    this.#taken.add(free);
    return free;
  }

  // {ExpressionAttributeNames, ExpressionAttributeValues}, each only when there is one.
  members() {
    const names = Object.fromEntries([...this.#names].map(([name, word]) => [word, name]));
    const values = Object.fromEntries([...this.#values.values()].map(({ word, value }) => [word, value]));
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: values }),
    };
  }
}
