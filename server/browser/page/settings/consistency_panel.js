// How far global indexes, replicas and eventually consistent reads lag behind, and how late expired items go.

import { h } from '../dom.js';
import { session } from '../client.js';
import { change, namespacePath } from '../control.js';
import { plural } from '../format.js';
import { field, notify, select } from '../widgets.js';
import { consistencyOf, isLag, stepsTo } from './setting_requests.js';
import { kDurationHint } from './durations.js';
import { makePanel } from './panel.js';

const kLags = [['', 'Default'], ['by', 'Lag by'], ['held', 'Held']];
const kReads = [['', 'Default'], ['chance', 'Some are stale'], ['held', 'Held']];

function lagText(what, lag, without) {
  if (!isLag(lag)) return without;
  return lag === 'held' ? `${what} keep their present state` : `${what} lag by ${lag}`;
}

function readsText(reads) {
  if (!reads) return 'eventually consistent reads use the default';
  if (reads.held) return `eventually consistent reads return a held state, ${plural(reads.behind, 'write')} behind`;
  return `${Number((reads.probability * 100).toPrecision(6))} % of eventually consistent reads are stale`;
}

function expiryText(delay) {
  return isLag(delay) ? `The server deletes items ${delay} after expiry.` : 'The server deletes items at expiry.';
}

function stateText({ index_lag: indexes, replication_lag: replicas, read_staleness: reads, ttl_delay: delay }) {
  const parts = [lagText('Global indexes', indexes, 'Global indexes use the default lag'),
    isLag(replicas) && lagText('replicas', replicas), readsText(reads)];
  return `${parts.filter(Boolean).join('; ')}. ${expiryText(delay)}`;
}

// A choice of kLags with the duration that one of them wants. `told`: the control as the server has it.
function lagFields(label, byLabel, told) {
  const kind = !isLag(told) ? '' : told === 'held' ? 'held' : 'by';
  const choice = select(kLags, { value: kind });
  const by = h('input', { value: kind === 'by' ? told : '2s', size: '6' });
  const byField = field(byLabel, by, { hint: kDurationHint });
  const show = () => { byField.hidden = choice.value !== 'by'; };
  choice.addEventListener('change', show);
  show();
  return { choice, by, node: h('div', { class: 'row end' }, field(label, choice), byField) };
}

function makeForm(state, send) {
  const { read_staleness: reads } = state;
  const indexes = lagFields('Global indexes', 'By', state.index_lag);
  const replicas = lagFields('Replicas in other regions', 'Replicas by', state.replication_lag);
  replicas.node.hidden = session.status?.isolation !== 'region' && !isLag(state.replication_lag);
  const kinds = select(kReads, { value: !reads ? '' : reads.held ? 'held' : 'chance' });
  const known = reads && !reads.held ? reads : {};
  const inputs = {
    lagBy: indexes.by,
    replicasBy: replicas.by,
    probability: h('input', { value: String(known.probability ?? 0.5), inputmode: 'decimal', size: '5' }),
    seed: h('input', { type: 'number', min: '0', value: String(known.seed ?? 1), size: '6' }),
    versions: h('input', { type: 'number', min: '1', value: String(known.versions ?? 1), size: '5' }),
    ttlDelay: h('input', { value: state.ttl_delay ?? '', size: '6' }),
  };
  const chance = h('div', { class: 'row end' }, field('Probability', inputs.probability), field('Seed', inputs.seed),
    field('Maximum versions back', inputs.versions));
  const showParts = () => { chance.hidden = kinds.value !== 'chance'; };
  kinds.addEventListener('change', showParts);
  showParts();
  const submit = (event) => {
    event.preventDefault();
    const texts = Object.fromEntries(Object.entries(inputs).map(([name, node]) => [name, node.value]));
    const { body, problem } = consistencyOf({
      lag: indexes.choice.value, replicas: replicas.choice.value, reads: kinds.value, ...texts,
    });
    if (problem) {
      inputs[problem.member].setCustomValidity(problem.message);
      inputs[problem.member].reportValidity();
    } else {
      send(body);
    }
  };
  for (const node of Object.values(inputs)) node.addEventListener('input', () => node.setCustomValidity(''));
  return h('form', { class: 'stack', novalidate: true, on: { submit } }, indexes.node, replicas.node,
    h('div', { class: 'row end' }, field('Eventually consistent reads', kinds), chance),
    h('div', { class: 'row end' },
      field('Delete expired items after', inputs.ttlDelay, { hint: `${kDurationHint}; 0 deletes them at once` })),
    h('div', { class: 'row' }, h('button', { class: 'primary' }, 'Apply')));
}

export function consistencyPanel({ namespace, signal }) {
  const path = namespacePath(namespace, 'consistency');
  const apply = async (state, wanted, load) => {
    const { takesBack, body } = stepsTo(state, wanted);
    const isReady = !takesBack || await change('DELETE', path);
    if (isReady && (Object.keys(body).length === 0 || await change('PUT', path, body))) load();
  };
  const release = async (steps, load) => {
    const done = await change('POST', `${path}/release`, steps ? { steps } : {});
    if (done) notify(`The server released ${steps ? 'the next change' : 'all held changes'}.`, { kind: 'good' });
    load();
  };
  return makePanel({
    title: 'Consistency', what: 'The consistency control', path, signal,
    hint: 'A stale read returns an older version of the item. Strongly consistent reads are never stale.',
    show: (state, load) => {
      const isHeld = state.index_lag === 'held' || Boolean(state.read_staleness?.held);
      return [
        h('p', { 'aria-live': 'polite' }, stateText(state)),
        makeForm(state, (body) => apply(state, body, load)),
        h('div', { class: 'row', hidden: !isHeld },
          h('button', { on: { click: () => release(1, load) } }, 'Release one change'),
          h('button', { on: { click: () => release(0, load) } }, 'Release all')),
      ];
    },
  });
}
