// The clock of a namespace: advance, set, freeze.

import { h, on, replace } from '../dom.js';
import { change, namespacePath } from '../control.js';
import { time } from '../format.js';
import { busy, field } from '../widgets.js';
import { durationProblem, kDurationHint, readDuration, writeDuration } from './durations.js';
import { makePanel } from './panel.js';

const kSteps = [['1m', '+ 1 minute'], ['1h', '+ 1 hour'], ['1d', '+ 1 day'], ['8d', '+ 8 days'], ['365d', '+ 1 year']];

/** What the clock shows now, of an answer that came at `since`. */
function timeOf({ now, frozen }, since, at = Date.now()) {
  return Date.parse(now) + (frozen ? 0 : at - since);
}

function differenceText({ offset, frozen }) {
  const milliseconds = readDuration(offset) ?? 0;
  if (frozen) return 'The clock is frozen. It moves only when you advance, set or unfreeze it.';
  if (Math.abs(milliseconds) < 1000) return 'The clock runs with real time.';
  const distance = writeDuration(Math.round(Math.abs(milliseconds) / 1000) * 1000);
  return `The clock runs ${distance} ${milliseconds > 0 ? 'ahead of' : 'behind'} real time.`;
}

/** Of a Date, in the form of <input type="datetime-local">, in the reader's zone. */
function localText(date) {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

export function clockPanel({ namespace, signal }) {
  const path = namespacePath(namespace, 'clock');
  let shown = null;
  let since = 0;
  const face = h('time', { class: 'clock-face' });
  const difference = h('p', { class: 'quiet', 'aria-live': 'polite' });
  const input = (props) => h('input', { autocomplete: 'off', spellcheck: 'false', ...props });

  const set = async (button, method, body) => busy(button, async () => {
    const answer = await change(method, path, body);
    if (answer) keep(answer.now ? answer : null);
  });
  function keep(answer) {
    if (!answer) {
      panel.load();
      return;
    }
    shown = answer;
    since = Date.now();
    difference.textContent = differenceText(answer);
    freeze.textContent = answer.frozen ? 'Unfreeze' : 'Freeze';
    tick();
  }
  function tick() {
    if (!shown) return;
    const now = new Date(timeOf(shown, since));
    face.textContent = time(now, { dateStyle: 'full', timeStyle: 'medium' });
    face.dateTime = now.toISOString();
  }
  const toggleFrozen = (event) => set(event.currentTarget, 'PUT', { frozen: !shown.frozen });
  const freeze = h('button', { on: { click: toggleFrozen } }, 'Freeze');
  const by = input({ placeholder: '1h30m', size: '8' });
  const to = h('input', { type: 'datetime-local', step: '1' });
  const form = (label, action, control, hint, read) => h('form', {
    class: 'row end',
    on: { submit: (event) => {
      event.preventDefault();
      const body = read();
      if (body) set(event.submitter, 'PUT', body);
    } },
  }, field(label, control, { hint }), h('button', {}, action));
  const advance = () => {
    const problem = durationProblem(by.value);
    by.setCustomValidity(problem ?? '');
    by.reportValidity();
    return problem ? null : { advance: by.value.trim() };
  };
  on(by, 'input', () => by.setCustomValidity(''));
  const setTo = () => (to.value ? { now: new Date(to.value).toISOString() } : null);
  const content = [
    face, difference,
    h('div', { class: 'row' }, kSteps.map(([step, label]) => h('button', {
      class: 'small', on: { click: (event) => set(event.currentTarget, 'PUT', { advance: step }) },
    }, label))),
    h('div', { class: 'row end' }, form('Advance by', 'Advance', by, kDurationHint, advance),
      form('Set to', 'Set', to, 'In the time zone of this computer', setTo)),
    h('div', { class: 'row' }, freeze,
      h('button', { on: { click: (event) => set(event.currentTarget, 'DELETE') } }, 'Reset to real time')),
  ];
  const panel = makePanel({
    title: 'Clock', path, signal,
    hint: 'Time to live, streams, iterators, tokens and capacity use this clock. '
      + 'The Date header and signatures use real time.',
    show: (body) => {
      replace(panel.body, content);
      keep(body);
      if (!to.value) to.value = localText(new Date(body.now));
      return content;
    },
  });
  const timer = setInterval(tick, 1000);
  on(signal, 'abort', () => clearInterval(timer));
  return panel;
}
