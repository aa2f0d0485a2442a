// How a program finds this server: the endpoint, and a first request in each language.

import { h } from '../dom.js';
import { codeOptions } from '../code/session_options.js';
import { kLanguages } from '../code/languages.js';
import { codeTabs, copyButton } from '../widgets.js';

const kRequest = { operation: 'ListTables', input: {} };
const kShown = ['cli', 'python', 'javascript', 'java', 'go'];

export function endpointLine() {
  return h('div', { class: 'endpoint' },
    h('span', { class: 'endpoint-label' }, 'Endpoint'), h('code', {}, location.origin),
    copyButton(location.origin, 'Copy'));
}

export function connectCode() {
  const languages = kShown.map((id) => kLanguages.find((each) => each.id === id));
  const variable = {
    label: 'Environment', text: `export AWS_ENDPOINT_URL_DYNAMODB=${location.origin}\n`,
    note: 'SDKs since 2023 and version 2 of the AWS CLI read this variable.',
  };
  const requests = languages.map(({ name, write }) => ({ label: name, text: () => write(kRequest, codeOptions()) }));
  return codeTabs([...requests, variable], { label: 'Connect your code' });
}
