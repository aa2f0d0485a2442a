// How far global indexes and eventually consistent reads lag behind.

import { h } from '../dom.js';
import { field, notify, select } from '../widgets.js';
import { consistencyOf } from './dial_requests.js';
import { kDurationHint } from './durations.js';
import { makePanel, namespacePath, turn } from './panel.js';

const kLags = [['', 'As it is without this dial'], ['by', 'They lag by'], ['held', 'They are held']];
const kReads = [['', 'As they are without this dial'], ['chance', 'Some are stale'], ['held', 'They are held']];

function stateText({ index_lag: lag, read_staleness: reads }) {
  const indexes = !lag || lag === '0s' ? 'Global indexes follow as always'
    : lag === 'held' ? 'Global indexes are held as they are' : `Global indexes lag by ${lag}`;
  const stale = !reads ? 'reads are as always'
    : reads === 'held' ? 'eventually consistent reads are held as they are'
      : `${Number((reads.probability * 100).toPrecision(6))} % of eventually consistent reads are stale`;
  return `${indexes}; ${stale}.`;
}

function makeForm(state, send) {
  const { index_lag: lag, read_staleness: reads } = state;
  const lags = select(kLags, { value: !lag || lag === '0s' ? '' : lag === 'held' ? 'held' : 'by' });
  const kinds = select(kReads, { value: !reads ? '' : reads === 'held' ? 'held' : 'chance' });
  const known = typeof reads === 'object' && reads ? reads : {};
  const inputs = {
    lagBy: h('input', { value: lag && lag !== 'held' && lag !== '0s' ? lag : '2s', size: '6' }),
    probability: h('input', { value: String(known.probability ?? 0.5), inputmode: 'decimal', size: '5' }),
    seed: h('input', { type: 'number', min: '0', value: String(known.seed ?? 1), size: '6' }),
    versions: h('input', { type: 'number', min: '1', value: String(known.versions ?? 1), size: '5' }),
  };
  const lagField = field('By', inputs.lagBy, { hint: kDurationHint });
  const chance = h('div', { class: 'row end' }, field('Probability', inputs.probability), field('Seed', inputs.seed),
    field('Versions back, at most', inputs.versions));
  const showParts = () => {
    lagField.hidden = lags.value !== 'by';
    chance.hidden = kinds.value !== 'chance';
  };
  lags.addEventListener('change', showParts);
  kinds.addEventListener('change', showParts);
  showParts();
  const submit = (event) => {
    event.preventDefault();
    const texts = Object.fromEntries(Object.entries(inputs).map(([name, node]) => [name, node.value]));
    const { body, problem } = consistencyOf({ lag: lags.value, reads: kinds.value, ...texts });
    if (problem) {
      inputs[problem.member].setCustomValidity(problem.message);
      inputs[problem.member].reportValidity();
    } else {
      send(body);
    }
  };
  for (const node of Object.values(inputs)) node.addEventListener('input', () => node.setCustomValidity(''));
  return h('form', { class: 'stack', novalidate: true, on: { submit } },
    h('div', { class: 'row end' }, field('Global indexes', lags), lagField),
    h('div', { class: 'row end' }, field('Eventually consistent reads', kinds), chance),
    h('div', { class: 'row' }, h('button', { class: 'primary' }, 'Apply')));
}

export function consistencyPanel({ namespace, signal }) {
  const path = namespacePath(namespace, 'consistency');
  // What is left out of PUT stays as it was, so all is taken back first.
  const apply = async (body, load) => {
    const done = await turn('DELETE', path) && (Object.keys(body).length === 0 || await turn('PUT', path, body));
    if (done) load();
  };
  const release = async (steps, load) => {
    const done = await turn('POST', `${path}/release`, steps ? { steps } : {});
    if (done) notify(steps ? 'The next change is let through.' : 'All that was held is let through.', { kind: 'good' });
    load();
  };
  return makePanel({
    title: 'Consistency', what: 'The dial of consistency', path, signal,
    hint: 'A stale answer is an older version of the item. Strong reads are never stale.',
    show: (state, load) => {
      const isHeld = state.index_lag === 'held' || state.read_staleness === 'held';
      return [
        h('p', { 'aria-live': 'polite' }, stateText(state)),
        makeForm(state, (body) => apply(body, load)),
        h('div', { class: 'row', hidden: !isHeld },
          h('button', { on: { click: () => release(1, load) } }, 'Let one change through'),
          h('button', { on: { click: () => release(0, load) } }, 'Let all through')),
      ];
    },
  });
}
