// Style sheets that only some rooms need, loaded with the first of them.

import { h } from './dom.js';

const loads = new Map();

// `path` below the page's folder. Resolves when it is applied, or could not be loaded.
export function loadStyle(path) {
  if (!loads.has(path)) {
    loads.set(path, new Promise((resolve) => {
      document.head.append(h('link', {
        rel: 'stylesheet', href: `/_/assets/${path}`, on: { load: resolve, error: resolve },
      }));
    }));
  }
  return loads.get(path);
}
