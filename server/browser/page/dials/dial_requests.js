// What forms say, as the bodies that dials take: {body, problem: null | {member, message}}.

import { durationProblem } from './durations.js';

/** Of PUT /_/namespaces/{name}/consistency. */
export function consistencyOf({ lag, lagBy, reads, probability, seed, versions }) {
  const body = {};
  if (lag === 'held') body.index_lag = 'held';
  if (lag === 'by') {
    const problem = durationProblem(lagBy);
    if (problem) return { body: null, problem: { member: 'lagBy', message: problem } };
    body.index_lag = lagBy.trim();
  }
  if (reads === 'held') body.read_staleness = 'held';
  if (reads === 'chance') {
    const chance = Number(probability);
    if (probability.trim() === '' || !(chance >= 0 && chance <= 1)) {
      return { body: null, problem: { member: 'probability', message: 'A number from 0 to 1.' } };
    }
    body.read_staleness = { probability: chance, seed: Number(seed) || 0, versions: Number(versions) || 1 };
  }
  return { body, problem: null };
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
      return { body: null, problem: { member: 'portNumber', message: 'A number from 1 to 65535.' } };
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
