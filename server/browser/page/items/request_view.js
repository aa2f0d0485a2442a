// Beneath the items: what was sent, in each language, and what it cost.

import { h, replace } from '../dom.js';
import { duration, number, plural, units } from '../format.js';
import { codeTabs } from '../widgets.js';
import { kLanguages } from '../code/languages.js';
import { codeOptions } from '../code/session_options.js';

const kNone = 'This request has legacy parameters. The page does not write SDK code for them.';

// cost: {requests, scanned, units, milliseconds}; count: items that came.
export function costText(operation, cost, count) {
  const parts = [
    operation,
    cost.scanned === count ? `${plural(count, 'item')} read`
      : `${plural(count, 'item')} of ${number(cost.scanned)} read`,
    units(cost.units),
    duration(cost.milliseconds),
    cost.requests > 1 && plural(cost.requests, 'request'),
  ];
  return parts.filter(Boolean).join(' \u00b7 ');
}

export class RequestView {
  #requests = { read: null, write: null };

  constructor() {
    this.title = h('summary', {}, 'Request');
    this.content = h('div', { class: 'request-code' });
    this.node = h('details', { class: 'request', on: { toggle: () => {
      localStorage.setItem('magneto-request-open', this.node.open ? 'yes' : 'no');
      this.#draw();
    } } }, this.title, this.content);
    this.node.open = localStorage.getItem('magneto-request-open') === 'yes';
  }

  // The last one that was read with; null: none.
  read(request) {
    this.#requests.read = request;
    this.#draw();
  }

  // The one that saving would send; null: none.
  write(request) {
    if (JSON.stringify(request) === JSON.stringify(this.#requests.write)) return;
    this.#requests.write = request;
    this.#draw();
  }

  toggle() {
    this.node.open = !this.node.open;
  }

  #draw() {
    const request = this.#requests.write ?? this.#requests.read;
    const kind = this.#requests.write ? 'Save request' : 'Request';
    replace(this.title, request ? `${kind}: ${request.operation}` : kind);
    if (!this.node.open || !request) {
      replace(this.content);
      return;
    }
    const chosen = this.content.querySelector('[aria-selected=true]')?.textContent;
    const tabs = codeTabs(kLanguages.map(({ name, write }) => (
      { label: name, text: () => write(request, codeOptions()) ?? kNone })), { label: 'Languages' });
    replace(this.content, tabs);
    if (chosen) [...tabs.querySelectorAll('[role=tab]')].find((tab) => tab.textContent === chosen)?.click();
  }
}
