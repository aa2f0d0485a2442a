// Shortcuts: a key ("/"), or two in turn ("g t"). None is taken while the reader writes, but those
// with Control or Escape.

const kPause = 1000; // milliseconds between the keys of a pair
const shortcuts = [];
let first = '';
let firstAt = 0;

// Listed under "?" with `label`. `signal` takes it away again. `key`: as KeyboardEvent.key writes it,
// with "Control+" before it for Control or Command.
export function shortcut(keys, label, run, { signal, group = 'Everywhere' } = {}) {
  const entry = { keys, label, run, group };
  shortcuts.unshift(entry);
  signal?.addEventListener('abort', () => shortcuts.splice(shortcuts.indexOf(entry), 1));
}

export function allShortcuts() {
  return [...shortcuts].reverse();
}

function writes(target) {
  return target.isContentEditable || target.matches?.('input:not([type=checkbox], [type=radio]), textarea, select');
}

function onKey(event) {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const control = event.ctrlKey || event.metaKey;
  if (writes(event.target) && !control) return;
  if (document.querySelector('dialog[open]') && !control) return;
  const key = (control ? 'Control+' : '') + event.key;
  const pair = Date.now() - firstAt < kPause ? `${first} ${key}` : '';
  const found = shortcuts.find((entry) => entry.keys === pair) ?? shortcuts.find((entry) => entry.keys === key);
  first = found ? '' : key;
  firstAt = Date.now();
  if (!found) return;
  event.preventDefault();
  found.run(event);
}

export function listenForShortcuts() {
  document.addEventListener('keydown', onKey);
}
