// The costs of the recorded requests: a report of the server's journal, by access pattern.

import { h, replace } from '../dom.js';
import { control, session } from '../client.js';
import { connectionDialog } from '../connection.js';
import { change, namespacePath } from '../control.js';
import { download } from '../items/download.js';
import { shortcut } from '../keys.js';
import { toggle } from '../live/live_list.js';
import { loadStyle } from '../style_sheet.js';
import {
  answerProblem, busy, button, copyText, emptyState, field, notAvailable, notify, select,
} from '../widgets.js';
import { kModes, kRegions, rateOf, reportRequest } from './figures.js';
import { reportView } from './report_view.js';

const kFiles = { csv: 'text/csv', json: 'application/json' };

class CostRoom {
  #report = null;
  #turn = 0;  // of what is asked: an older answer does not replace a newer one
  #mode = 'on_demand';
  #rates = new Map();  // pattern -> calls a second
  #tables = new Set();

  constructor(main, signal) {
    Object.assign(this, { main, signal });
    this.status = h('span', { class: 'quiet', role: 'status' });
    this.area = h('div', { class: ['stack', 'cost-report'] });
    this.recording = toggle('Record requests', { change: (isOn) => this.#switch(isOn) });
    this.refresh = button('Refresh', () => busy(this.refresh, () => this.read()));
    this.rate = h('input', {
      type: 'number', min: '0', step: 'any', value: '1', class: 'rate', on: { change: () => this.#rateChanged() },
    });
    this.region = select(kRegions, { on: { change: () => this.read() } });
    this.table = h('select', { on: { change: () => this.read() } }, h('option', { value: '' }, 'All tables'));
    this.mode = select(kModes, { on: { change: () => {
      this.#mode = this.mode.value;
      this.#draw();
    } } });
    replace(main, h('div', { class: 'toolbar' }, h('h1', {}, 'Costs'), this.status, this.recording.node, this.refresh,
      button('Copy as Markdown', (event) => busy(event.currentTarget, () => this.#copy())),
      button('Download CSV', (event) => busy(event.currentTarget, () => this.#save('csv'))),
      button('Download JSON', (event) => busy(event.currentTarget, () => this.#save('json')))),
    h('div', { class: ['toolbar', 'cost-choices'] }, field('Calls a second', this.rate), field('Prices', this.mode),
      field('Region', this.region), field('Table', this.table)), this.area);
  }

  get #path() { return namespacePath(session.namespace, 'journal'); }

  #request(format) {
    const known = new Set(this.#report?.patterns.map(({ name }) => name));
    return reportRequest({
      rate: rateOf(this.rate.value) ?? 1, region: this.region.value, table: this.table.value, rates: this.#rates,
      accessKey: session.credentials.accessKeyId,
    }, known, format);
  }

  async begin() {
    const answer = await control('GET', `${this.#path}?limit=0`, undefined, { signal: this.signal });
    if (this.signal.aborted) return;
    if (answer.status !== 200) {
      replace(this.main, notAvailable('The request journal', answer, connectionDialog));
      return;
    }
    this.#showRecording(answer.body.on);
    await this.read();
  }

  async read() {
    const turn = ++this.#turn;
    const answer = await control('POST', `${this.#path}/report`, this.#request('json'), { signal: this.signal });
    if (this.signal.aborted || turn !== this.#turn) return;
    this.status.textContent = answer.status === 200 ? '' : answerProblem(answer);
    if (answer.status !== 200) return;
    this.#report = answer.body;
    this.#learnTables();
    this.#draw();
  }

  #learnTables() {
    for (const { table } of this.#report.patterns) {
      if (this.#tables.has(table) || this.#tables.size >= 500) continue;
      this.#tables.add(table);
      this.table.append(h('option', { value: table }, table));
    }
  }

  #draw() {
    if (!this.#report) return;
    const focused = this.area.contains(document.activeElement) ? document.activeElement.dataset.at : undefined;
    replace(this.area, this.#report.requests === 0 ? this.#nothing()
      : reportView(this.#report, this.#mode, (name, rate) => this.#setRate(name, rate)));
    if (focused === undefined) return;
    const again = [...this.area.querySelectorAll('[data-at]')].find((node) => node.dataset.at === focused);
    again?.focus({ preventScroll: true });
  }

  #nothing() {
    if (this.recording.isOn) {
      return emptyState('No requests yet', 'Run your application or its tests against this server, then refresh.');
    }
    return emptyState('The server does not record requests',
      'Record the requests of your application or its tests. The page then shows their access patterns and prices.',
      button('Record requests now', () => this.recording.set(true), { class: 'primary' }));
  }

  #setRate(name, rate) {
    this.#rates.set(name, rate);
    return this.read();
  }

  #rateChanged() {
    const rate = rateOf(this.rate.value);
    if (rate === null) this.rate.value = '1';
    return this.read();
  }

  #showRecording(isOn) {
    if (this.recording.isOn === isOn) return;
    this.isShowing = true;
    this.recording.set(isOn);
    this.isShowing = false;
  }

  async #switch(isOn) {
    if (this.isShowing) return;
    const body = await change('PUT', this.#path, { on: isOn });
    if (this.signal.aborted) return;
    if (!body) this.#showRecording(!isOn);
    else notify(isOn ? 'The server now records requests.' : 'The server no longer records requests.', { kind: 'good' });
    await this.read();
  }

  async #text(format) {
    const answer = await control('POST', `${this.#path}/report`, this.#request(format), { signal: this.signal });
    if (answer.status === 200) return answer.text;
    notify(answerProblem(answer), { kind: 'bad' });
    return null;
  }

  async #copy() {
    const text = await this.#text('markdown');
    if (text !== null) await copyText(text);
  }

  async #save(format) {
    const text = await this.#text(format);
    if (text !== null) download(new Blob([text], { type: kFiles[format] }), `costs-${session.namespace}.${format}`);
  }
}

export const room = {
  title: () => 'Costs',

  async show(params, { main, signal }) {
    await Promise.all([loadStyle('cost/cost.css'), session.ready]);
    if (signal.aborted) return;
    const costs = new CostRoom(main, signal);
    shortcut('r', 'Refresh', () => costs.read(), { signal, group: 'In the costs' });
    costs.begin().catch((error) => {
      if (error.name !== 'AbortError') throw error;
    });
  },
};
