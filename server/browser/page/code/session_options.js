// For whom code is written: this server, and the keys that lead to the current namespace.

import { session } from '../client.js';

export function codeOptions() {
  const base = { endpoint: location.origin, region: session.region };
  if (session.signs) return { ...base, accessKeyId: null }; // of the environment of whoever runs it
  const isolated = session.status?.isolation && session.status.isolation !== 'none';
  if (session.namespace !== 'main') return { ...base, accessKeyId: session.namespace };
  return { ...base, accessKeyId: isolated ? session.credentials.accessKeyId : 'any' };
}
