// How the page connects: access keys, region, the token of the control interface.

import { h } from './dom.js';
import { session } from './client.js';
import { dialog, field, withFlags } from './widgets.js';

let isOpen = false;

function text(props) {
  return h('input', { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', ...props });
}

// `reason`: the error that made the page ask.
export async function connectionDialog(reason = null) {
  if (isOpen) return;
  isOpen = true;
  const { credentials, region, token } = session;
  const isChosen = session.signs || credentials.accessKeyId !== 'MAGNETOBROWSER';
  const key = text({ value: isChosen ? credentials.accessKeyId : '' });
  const secret = text({ type: 'password', value: credentials.secretAccessKey });
  const sessionToken = text({ type: 'password', value: credentials.sessionToken });
  const regionInput = text({ value: region, required: true });
  const tokenInput = text({ type: 'password', value: token });
  const save = (close) => (event) => {
    event.preventDefault();
    const changedToken = tokenInput.value !== token;
    if (changedToken) session.setToken(tokenInput.value.trim());
    const given = key.value.trim() && {
      accessKeyId: key.value.trim(),
      secretAccessKey: secret.value.trim(),
      sessionToken: sessionToken.value.trim(),
    };
    session.setCredentials(given || null, regionInput.value.trim() || 'us-east-1');
    close(true);
  };
  await dialog({
    title: reason ? 'Sign in' : 'Connection',
    stays: true,
    content: (close) => h('form', { class: 'stack', on: { submit: save(close) } },
      reason && h('div', { class: 'error' }, h('strong', {}, reason.type), h('p', {}, reason.message)),
      h('p', { class: 'quiet' }, session.status?.auth === 'verify'
        ? 'This server verifies signatures. The page signs its requests with these keys and keeps them only in memory.'
        : withFlags('This server accepts any keys. '
          + 'With --isolate, each access key or region has its own tables.')),
      field('Access key', key), field('Secret access key', secret),
      field('Session token', sessionToken, { hint: 'Only for temporary keys' }),
      field('Region', regionInput),
      field('Control token', tokenInput, {
        hint: 'For namespaces, test controls and the list of requests. The page keeps it until you close the tab.',
      }),
      h('div', { class: 'actions' }, h('button', { class: 'primary', type: 'submit' }, 'Connect'))),
  });
  isOpen = false;
}
