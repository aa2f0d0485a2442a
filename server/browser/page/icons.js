// Small pictures, drawn as lines in the colour of the text beside them. They say nothing to a screen
// reader: the text does.

import { s } from './dom.js';

// In a square of 16 by 16.
const kPaths = {
  tables: 'M2 3.5h12v9H2zM2 6.5h12M6 6.5v6',
  partiql: 'M2.5 4.5 6 8l-3.5 3.5M8 12h5.5',
  requests: 'M2 4h12M2 8h8M2 12h5M11.5 10.5l1.5 1.5 2-2.5',
  costs: 'M8 1.5v13M11.3 5c-.5-1-1.7-1.7-3.3-1.7-2 0-3.3.9-3.3 2.3 0 3.2 6.6 1.6 6.6 4.8 0 1.4-1.4 2.3-3.3 2.3'
    + '-1.7 0-2.9-.7-3.4-1.8',
  charts: 'M2 2v12h12M4.5 10.5l3-3.5 2.5 2 4-5',
  namespaces: 'M8 1.8 14.2 5 8 8.2 1.8 5zM1.8 8 8 11.2 14.2 8M1.8 11 8 14.2 14.2 11',
  controls: 'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M8 2.5v4M12 2.5v4M4 9.5v4M8 9.5v4M8 2.5h4v4H8zM4 9.5h4v4H4z',
  overview: 'M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  items: 'M5.5 4H14M5.5 8H14M5.5 12H14M2 4h.6M2 8h.6M2 12h.6',
  stream: 'M1.5 8h2.5l2-4.5 3.5 9 2-4.5h3',
  insights: 'M9.8 6.2a3.6 3.6 0 1 0-7.2 0 3.6 3.6 0 0 0 7.2 0zM8.9 8.8l5.1 5.1M11.8 11.7l1.5-1.5',
  help: 'M8 4.2C6.6 3 4.4 2.6 2 2.8v9.6c2.4-.2 4.6.2 6 1.4 1.4-1.2 3.6-1.6 6-1.4V2.8c-2.4-.2-4.6.2-6 1.4zM8 4.2v9.6',
  menu: 'M2 4h12M2 8h12M2 12h12',
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  connection: 'M5.5 1.8v3.4M10.5 1.8v3.4M3.8 5.2h8.4v2.2a4.2 4.2 0 0 1-8.4 0zM8 11.6v2.8',
  theme: 'M13.8 9.6A6 6 0 1 1 6.4 2.2a4.8 4.8 0 0 0 7.4 7.4z',
  keyboard: 'M1.5 4h13v8.5h-13zM4 6.8h.4M6.6 6.8h.4M9.2 6.8h.4M11.8 6.8h.4M5 10h6',
  template: 'M4 1.8h5.5L12.5 5v9.2H4zM9.2 1.8v3.4h3.3M6.3 8h4M6.3 10.8h4',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9.2 3 6.8 13',
};

/** A picture by its name in kPaths. */
export function icon(name) {
  return s('svg', { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': true }, s('path', { d: kPaths[name] }));
}

/** The mark of the product: a magnet. The same as icon.svg. */
export function mark() {
  return s('svg', { viewBox: '0 0 32 32', class: 'mark-of-magneto', 'aria-hidden': true },
    s('rect', { class: 'mark-back', width: '32', height: '32', rx: '8' }),
    s('path', { class: 'mark-body', d: 'M7 11v6a9 9 0 0 0 18 0v-6h-5.5v6a3.5 3.5 0 0 1-7 0v-6z' }),
    s('path', { class: 'mark-tips', d: 'M7 5.5h5.5v4H7zM19.5 5.5H25v4h-5.5z' }));
}
