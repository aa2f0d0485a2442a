// A form that makes the tables of a pasted template.

import { catalog } from '../catalog.js';
import { h, replace } from '../dom.js';
import { plural } from '../format.js';
import { busy, errorBox, field, notify, withFlags } from '../widgets.js';
import { createTable } from './table_state.js';
import { readTemplate } from './template_reader.js';

const kExample = `{
  "TableName": "Orders",
  "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
  "BillingMode": "PAY_PER_REQUEST"
}`;

// -> {made: names, error of what failed first, and which table that was}
async function makeTables(tables) {
  const made = [];
  for (const { input, later } of tables) {
    const { error, isMade } = await createTable(input, later);
    if (isMade) made.push(input.TableName);
    if (error) return { made, error, failed: input.TableName };
  }
  return { made, error: null, failed: null };
}

/** `done(names)` is called when all tables were made, with their names. */
export function templateForm({ done, rows = '10' }) {
  const text = h('textarea', { rows, spellcheck: 'false', required: true, placeholder: kExample });
  const answer = h('div', { 'aria-live': 'polite' });
  const button = h('button', { class: 'primary', type: 'submit' }, 'Create tables');
  const submit = async (event) => {
    event.preventDefault();
    const { tables, problem } = readTemplate(text.value);
    if (problem) {
      replace(answer, h('p', { class: 'error', role: 'alert' }, withFlags(problem)));
      return;
    }
    const { made, error, failed } = await busy(button, () => makeTables(tables));
    if (made.length > 0) {
      await catalog.load();
      notify(`${plural(made.length, 'table')} created: ${made.join(', ')}.`, { kind: 'good' });
    }
    if (error) replace(answer, h('p', {}, `${failed}:`), errorBox(error));
    else done(made);
  };
  return h('form', { class: 'stack', on: { submit } },
    field('Template', text, {
      hint: 'A CloudFormation template in JSON, the input of CreateTable or the output of describe-table',
    }),
    answer,
    h('div', { class: 'row' }, button),
    h('p', { class: 'hint' }, 'For YAML, SAM, serverless.yml or Terraform, run ',
      h('code', { class: 'flag' }, 'magneto --schema template.yaml')));
}
