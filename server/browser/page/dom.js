// Makes elements. Text is always text: nothing here reads HTML, and what would run or style from a
// string (handlers, `style`, `srcdoc`, addresses of scripts) is refused.

const kSvg = 'http://www.w3.org/2000/svg';
const kProperties = new Set([
  'checked', 'disabled', 'hidden', 'indeterminate', 'open', 'readOnly', 'selected', 'value',
]);
const kRefused = new Set(['style', 'srcdoc', 'innerhtml', 'outerhtml']);

function setAttribute(node, name, value) {
  const lower = name.toLowerCase();
  if (kRefused.has(lower) || lower.startsWith('on')) throw new TypeError(`no attribute ${name}`);
  if (lower === 'href' && !/^(#|https?:|\/|data:image\/|blob:)/.test(value)) {
    throw new TypeError('an address is to begin with #, http:, https: or /');
  }
  node.setAttribute(name, value === true ? '' : String(value));
}

function setProperty(node, name, value) {
  if (name === 'class') {
    const list = Array.isArray(value) ? value.filter(Boolean).join(' ') : value;
    if (list) node.setAttribute('class', list);
  } else if (name === 'dataset') {
    for (const [key, text] of Object.entries(value)) node.dataset[key] = text;
  } else if (name === 'on') {
    for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
  } else if (value === null || value === undefined) {
    // left out
  } else if (kProperties.has(name) && name in node) {
    node[name] = value;
  } else if (value !== false || name.startsWith('aria-')) {
    setAttribute(node, name, name.startsWith('aria-') ? String(value) : value);
  }
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === true) continue;
    if (Array.isArray(child)) {
      append(node, child);
    } else {
      node.append(child instanceof Node ? child : String(child));
    }
  }
  return node;
}

// `value` is set behind the children, so that a select finds its option.
function build(node, props, children) {
  const { value, ...others } = props ?? {};
  for (const [name, content] of Object.entries(others)) setProperty(node, name, content);
  append(node, children);
  if (value !== undefined) setProperty(node, 'value', value);
  return node;
}

// h('button', {class: 'primary', on: {click: save}}, 'Save'): `class` is a string or a list of which
// empty members are left out; null and false leave an attribute out, true sets it empty (of aria-*
// both are written). Children: nodes, text, lists of them; null, undefined and booleans are left out.
export function h(tag, props = {}, ...children) {
  return build(document.createElement(tag), props, children);
}

// The same for SVG.
export function s(tag, props = {}, ...children) {
  return build(document.createElementNS(kSvg, tag), props, children);
}

// The children of `node` are those and no others. Returns `node`.
export function replace(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

// Listens until `signal` aborts, if there is one.
export function on(target, event, listener, { signal, ...options } = {}) {
  target.addEventListener(event, listener, { signal, ...options });
}

// `action` once, when `wait` milliseconds have passed without another call.
export function debounce(action, wait = 150) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), wait);
  };
}
