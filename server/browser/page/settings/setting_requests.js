// What forms say, as the bodies that the control interface takes: {body, problem: null | {member, message}}.

import { durationProblem } from './durations.js';

// 'by' with a text, 'held', or '' for nothing.
function readLag(kind, text, member) {
  if (kind === 'held') return { value: 'held', problem: null };
  if (kind !== 'by') return { problem: null };
  const problem = durationProblem(text);
  return problem ? { problem: { member, message: problem } } : { value: text.trim(), problem: null };
}

/** Of PUT /_/namespaces/{name}/consistency. */
export function consistencyOf({
  lag, lagBy, replicas = '', replicasBy = '', reads, probability, seed, versions, ttlDelay = '',
}) {
  const body = {};
  const lags = [['index_lag', lag, lagBy, 'lagBy'], ['replication_lag', replicas, replicasBy, 'replicasBy']];
  for (const [name, kind, text, member] of lags) {
    const { value, problem } = readLag(kind, text, member);
    if (problem) return { body: null, problem };
    if (value) body[name] = value;
  }
  if (reads === 'held') body.read_staleness = 'held';
  if (reads === 'chance') {
    const chance = Number(probability);
    if (probability.trim() === '' || !(chance >= 0 && chance <= 1)) {
      return { body: null, problem: { member: 'probability', message: 'Enter a number from 0 to 1.' } };
    }
    body.read_staleness = { probability: chance, seed: Number(seed) || 0, versions: Number(versions) || 1 };
  }
  if (ttlDelay.trim() !== '') {
    const problem = ttlDelay.trim() === '0' ? null : durationProblem(ttlDelay);
    if (problem) return { body: null, problem: { member: 'ttlDelay', message: problem } };
    body.ttl_delay = ttlDelay.trim();
  }
  return { body, problem: null };
}

/** Of a lag as GET writes it: "0" for none. */
export const isLag = (lag) => Boolean(lag) && lag !== '0';

const isHeld = (setting) => setting === 'held' || Boolean(setting?.held);

/**
 * What leads from `state`, as GET tells it, to the state that `body` asks for: {takesBack, body}. PUT leaves
 * what it does not name as it is, so where something ends, all is taken back first, and given anew.
 * What is held and stays so is not named: it would be held anew, in its state of now.
 * Taking all back would end the delay of expired items too, so that is given again.
 */
export function stepsTo(state, body) {
  const isOn = {
    index_lag: isLag(state.index_lag), replication_lag: isLag(state.replication_lag),
    read_staleness: state.read_staleness,
  };
  const takesBack = Object.entries(isOn).some(([name, on]) => on && !(name in body));
  if (takesBack) return { takesBack, body: 'ttl_delay' in state ? { ttl_delay: state.ttl_delay, ...body } : body };
  const changes = ([name, value]) => (
    !(isHeld(state[name]) && isHeld(value)) && !(name === 'ttl_delay' && value === state.ttl_delay));
  return { takesBack, body: Object.fromEntries(Object.entries(body).filter(changes)) };
}

/** Of POST /_/namespaces. `from`: "", "namespace:NAME" or "snapshot:NAME". */
export function creationOf({ name, from, port, portNumber, expires }) {
  const body = {};
  if (name.trim()) body.name = name.trim();
  const [kind, source] = from.split(/:(.*)/s);
  if (kind === 'namespace' || kind === 'snapshot') body.from = { [kind]: source };
  if (port === 'any') body.port = true;
  if (port === 'number') {
    const wanted = Number(portNumber);
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65535) {
      return { body: null, problem: { member: 'portNumber', message: 'Enter a number from 1 to 65535.' } };
    }
    body.port = wanted;
  }
  if (expires.trim()) {
    const problem = durationProblem(expires);
    if (problem) return { body: null, problem: { member: 'expires', message: problem } };
    body.expires_after = expires.trim();
  }
  return { body, problem: null };
}
