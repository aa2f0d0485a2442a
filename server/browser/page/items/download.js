// Saves what was made as a file. Pieces become Blobs as they come, which the browser keeps on disk.

import { h } from '../dom.js';

const kPiece = 4_000_000; // characters

export class FileText {
  #blobs = [];
  #pieces = [];
  #length = 0;
  bytes = 0;

  add(text) {
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length >= kPiece) this.#flush();
  }

  #flush() {
    const blob = new Blob(this.#pieces);
    this.bytes += blob.size;
    this.#blobs.push(blob);
    this.#pieces = [];
    this.#length = 0;
  }

  // Before what was added: the head of a CSV is known only at the end.
  whole(first = '') {
    if (this.#length > 0) this.#flush();
    return new Blob([first, ...this.#blobs], { type: 'application/octet-stream' });
  }
}

export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = h('a', { href: address, download: name, class: 'off-screen', tabindex: '-1', 'aria-hidden': true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
