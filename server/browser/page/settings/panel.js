// A control in a frame of its own, which asks the server and says calmly when the control is not available.

import { h, replace } from '../dom.js';
import { control } from '../client.js';
import { connectionDialog } from '../connection.js';
import { notAvailable } from '../widgets.js';

/**
 * A frame that shows `show(body, load)` of what GET `path` gives. {node, load}. `hint`: what the control
 * does, in a sentence.
 */
export function makePanel({ title, what = `The ${title.toLowerCase()}`, path, hint = '', show, signal }) {
  const body = h('div', { class: 'body stack' });
  const node = h('section', { class: 'panel setting', 'aria-label': title },
    h('header', {}, h('h2', {}, title)), hint && h('p', { class: 'hint' }, hint), body);
  async function load() {
    const answer = await control('GET', path, undefined, { signal }).catch(() => null);
    if (!answer || signal.aborted) return;
    if (answer.status !== 200 || !answer.body) {
      replace(body, notAvailable(what, answer, connectionDialog));
      return;
    }
    replace(body, show(answer.body, load));
  }
  return { node, body, load };
}
