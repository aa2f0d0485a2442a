// The left side on a narrow screen: a drawer over the page, which a button opens. The page behind it is
// inert meanwhile, so that nothing is there twice.

import { h, on } from './dom.js';
import { icon } from './icons.js';

const kNarrow = '(max-width: 48rem)';  // as in style.css

/** {button, veil, open, close}. `side` and `content` are the two halves of the page. */
export function makeDrawer(side, content) {
  const narrow = matchMedia(kNarrow);
  let before = null;  // what had the focus when it was opened
  const button = h('button', {
    class: ['plain', 'menu'], 'aria-label': 'Menu', 'aria-expanded': 'false', 'aria-controls': side.id,
    on: { click: () => open() },
  }, icon('menu'));
  const veil = h('div', { class: 'veil', hidden: true, on: { click: () => close() } });
  const isOpen = () => !veil.hidden;
  const show = (value) => {
    veil.hidden = !value;
    content.inert = value;
    side.classList.toggle('open', value);
    button.setAttribute('aria-expanded', String(value));
  };

  /** Does nothing on a wide screen, where the left side is always there. */
  function open() {
    if (!narrow.matches || isOpen()) return;
    before = document.activeElement;
    show(true);
    side.querySelector('button, a').focus();
  }

  function close() {
    if (!isOpen()) return;
    show(false);
    before?.focus?.();
  }

  on(side, 'click', (event) => event.target.closest('a') && close());
  on(window, 'keydown', (event) => event.key === 'Escape' && close());
  on(window, 'hashchange', close);
  on(narrow, 'change', close);
  return { button, veil, open, close };
}
