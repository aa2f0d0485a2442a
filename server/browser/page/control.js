// Requests to the control interface that change something, and addresses under /_/namespaces.

import { control } from './client.js';
import { answerProblem, notify } from './widgets.js';

export function namespacePath(namespace, setting = '') {
  return `/_/namespaces/${encodeURIComponent(namespace)}${setting ? `/${setting}` : ''}`;
}

/** Makes a request and says what went wrong. Returns the body, null after an error. */
export async function change(method, path, body) {
  const answer = await control(method, path, body);
  if (answer.status >= 200 && answer.status < 300) return answer.body ?? {};
  notify(answerProblem(answer), { kind: 'bad' });
  return null;
}
