// The pieces that all rooms are made of.

import { h, replace } from './dom.js';
import { icon } from './icons.js';
import { reopen } from './router.js';

const kToastMilliseconds = 6000;
const kUndoMilliseconds = 12000;

function toasts() {
  return document.getElementById('toasts');
}

// A button that submits no form; `label` may be a node.
export function button(label, run, props = {}) {
  return h('button', { type: 'button', ...props, on: { click: run } }, label);
}

// Says a sentence, read out to screen readers. `kind`: 'info', 'good' or 'bad'; `action`: {label, run}.
export function notify(message, { kind = 'info', action = null, milliseconds } = {}) {
  const close = () => toast.remove();
  const run = () => {
    close();
    action.run();
  };
  const toast = h('div', { class: ['toast', kind], role: kind === 'bad' ? 'alert' : 'status' },
    h('span', { class: 'grow' }, message),
    action && h('button', { class: 'small', on: { click: run } }, action.label),
    h('button', { class: 'plain', 'aria-label': 'Close', on: { click: close } }, '×'));
  toasts().append(toast);
  let timer = 0;
  const wait = () => { timer = setTimeout(close, milliseconds ?? kToastMilliseconds); };
  toast.addEventListener('mouseenter', () => clearTimeout(timer));
  toast.addEventListener('mouseleave', wait);
  toast.addEventListener('focusin', () => clearTimeout(timer));
  toast.addEventListener('focusout', wait);
  if (kind !== 'bad') wait();
  return { close };
}

// A notice with a button that takes back what was done.
export function undo(message, action) {
  return notify(message, {
    kind: 'good', milliseconds: kUndoMilliseconds, action: { label: 'Undo', run: action },
  });
}

const closers = new Set(); // of the dialogs that are open and belong to the room

// Cancels them, as Escape does: who looks at another room would agree to what is not of it.
export function closeDialogs() {
  for (const close of [...closers].reverse()) close();
}

// A <dialog>: `content` is a node or (close) => node, `buttons` (close) => nodes. Resolves with what
// close() was given, null when it was left with Escape or, unless `stays`, with its room.
export function dialog({ title, content, buttons = null, wide = false, className = '', stays = false }) {
  return new Promise((resolve) => {
    let result = null;
    const before = document.activeElement;
    const close = (value = null) => {
      result = value;
      node.close();
    };
    const node = h('dialog', { class: ['dialog', wide && 'wide', className], 'aria-label': title },
      h('header', {},
        h('h2', {}, title),
        h('button', { class: 'plain', 'aria-label': 'Close', on: { click: () => close() } }, '×')),
      h('div', { class: 'body' }, typeof content === 'function' ? content(close) : content),
      buttons && h('footer', {}, buttons(close)));
    const cancel = () => close();
    if (!stays) closers.add(cancel);
    node.addEventListener('close', () => {
      closers.delete(cancel);
      node.remove();
      before?.focus?.();
      resolve(result);
    });
    node.addEventListener('click', (event) => {
      if (event.target === node) close();
    });
    document.body.append(node);
    node.showModal();
    (node.querySelector('[autofocus]') ?? node.querySelector('.body :is(input, select, textarea, button)')
      ?? node.querySelector('footer button'))?.focus();
  });
}

// Resolves with true when the reader agrees. With `typed`, those words must be typed first.
export async function confirmDialog({ title, message, confirm = 'OK', danger = false, typed = '' }) {
  const answer = await dialog({
    title,
    content: (close) => {
      const agreeButton = h('button', {
        class: danger ? 'danger' : 'primary', type: 'submit', disabled: Boolean(typed), autofocus: !typed,
      }, confirm);
      const input = typed && h('input', {
        'aria-label': `Type ${typed} to confirm`, autofocus: true, autocomplete: 'off', spellcheck: 'false',
        on: { input: () => { agreeButton.disabled = input.value !== typed; } },
      });
      const submit = (event) => {
        event.preventDefault();
        if (!agreeButton.disabled) close(true);
      };
      return h('form', { class: 'stack', on: { submit } },
        h('p', {}, message),
        typed && h('label', { class: 'field' }, h('span', {}, 'Type ', h('code', {}, typed), ' to confirm'), input),
        h('div', { class: 'actions' }, button('Cancel', () => close()), agreeButton));
    },
  });
  return answer === true;
}

let lastId = 0;

// A control with its label above it; `hint` is read out with it.
export function field(label, control, { hint = '', wide = false } = {}) {
  const target = control.matches('input, select, textarea')
    ? control : control.querySelector('input, select, textarea');
  const id = `f${++lastId}`;
  if (target && !target.id) target.id = id;
  if (hint) target?.setAttribute('aria-describedby', `${id}-hint`);
  return h('div', { class: ['field', wide && 'wide'] },
    h('label', { for: target?.id }, label), control,
    hint && h('span', { class: 'hint', id: `${id}-hint` }, hint));
}

// options: strings, or [value, label] pairs.
export function select(options, { value, ...props } = {}) {
  return h('select', { ...props, value }, options.map((option) => {
    const [key, label] = Array.isArray(option) ? option : [option, option];
    return h('option', { value: key }, label);
  }));
}

export function checkbox(label, props = {}) {
  return h('label', { class: 'check' }, h('input', { type: 'checkbox', ...props }), h('span', {}, label));
}

// The head of a table. columns: a text or a node each, or [text] when the column has numbers.
export function tableHead(columns) {
  return h('thead', {}, h('tr', {}, columns.map((column) => (
    h('th', { scope: 'col', class: Array.isArray(column) && 'number' }, column)))));
}

// Where there is nothing to show.
export function emptyState(title, sentence, ...actions) {
  return h('div', { class: 'empty' }, h('h2', {}, title), sentence && h('p', {}, sentence),
    actions.length > 0 && h('div', { class: 'actions' }, actions));
}

// An answer that is an error, in DynamoDB's words; `retry` makes a button.
export function errorBox(error, retry = null) {
  return h('div', { class: 'error', role: 'alert' },
    h('strong', {}, error.type), h('p', {}, error.message),
    retry && h('button', { on: { click: retry } }, 'Try again'));
}

// The error in what control() returned, as a sentence.
export function answerProblem({ status, body }) {
  const text = body?.error ?? `The server answered with status ${status}.`;
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

// Why a control is not available, from what control() returned; `what` is its name: "The clock".
export function notAvailable(what, answer, askToken = null) {
  const { status } = answer;
  if (status === 401) {
    return emptyState(`${what} needs the control token`,
      withFlags('Magneto prints the token at startup, unless you set it with --control-token.'),
      askToken && h('button', { class: 'primary', on: { click: () => askToken() } }, 'Enter the token'));
  }
  if (status === 404 || status === 405) {
    return emptyState(`${what} is not available`,
      'The server was started without this feature, or its version does not have it.');
  }
  return emptyState(`${what} does not respond`, answerProblem(answer),
    h('button', { on: { click: reopen } }, 'Try again'));
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page of plain HTTP has no clipboard of its own
    const area = h('textarea', { class: 'off-screen', 'aria-hidden': true, value: text });
    (document.querySelector('dialog[open]:last-of-type') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  notify('Copied.', { kind: 'good', milliseconds: 2000 });
}

// `text` may be a function that makes it.
export function copyButton(text, label = 'Copy') {
  const click = () => copyText(typeof text === 'function' ? text() : text);
  return button(label, click, { class: 'small' });
}

// The same as a picture: `label` says what is copied.
export function copyIcon(text, label) {
  return button(icon('copy'), () => copyText(typeof text === 'function' ? text() : text), {
    class: ['plain', 'small', 'only-icon'], title: label, 'aria-label': label,
  });
}

// A sentence with the flags of the command line in it as code, which is never broken: "--isolate".
export function withFlags(sentence) {
  return sentence.split(/(--[a-z][a-z-]*)/).map((part, at) => (
    at % 2 === 1 ? h('code', { class: 'flag' }, part) : part));
}

export function code(text, { label = 'Code' } = {}) {
  return h('pre', { class: 'code', tabindex: '0', role: 'region', 'aria-label': label }, text);
}

const chosenTabs = new Map();

// Texts of which one is shown: [{label, text: string | () => string, note: a sentence above it}]. Made when
// it is shown. The one that the reader chose last is shown first wherever the tabs have that label.
export function codeTabs(list, { label = 'Code' } = {}) {
  const shown = h('div', { class: 'stack' });
  const buttons = list.map((entry, index) => h('button', {
    role: 'tab', type: 'button', on: { click: () => choose(index), keydown: (event) => move(event, index) },
  }, entry.label));
  function choose(index, chooses = true) {
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
    const { text, note } = list[index];
    if (chooses) chosenTabs.set(label, list[index].label);
    const content = typeof text === 'function' ? text() : text;
    replace(shown, note && h('p', { class: 'notice' }, note), code(content, { label: list[index].label }),
      h('div', {}, copyButton(content)));
  }
  function move(event, index) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = (index + by + list.length) % list.length;
    choose(next);
    buttons[next].focus();
  }
  choose(Math.max(0, list.findIndex((entry) => entry.label === chosenTabs.get(label))), false);
  return h('div', { class: 'code-tabs' }, h('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, buttons),
    shown);
}

// Marks a node as busy while `work` runs.
export async function busy(node, work) {
  node.setAttribute('aria-busy', 'true');
  const wasDisabled = node.disabled;
  if ('disabled' in node) node.disabled = true;
  try {
    return await work();
  } finally {
    node.removeAttribute('aria-busy');
    if ('disabled' in node) node.disabled = wasDisabled;
  }
}
