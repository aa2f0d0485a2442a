// Contributor insights of a table: which keys are used most, and which are throttled most.

import { h, replace } from '../dom.js';
import { call, control, session } from '../client.js';
import { catalog } from '../catalog.js';
import { connectionDialog } from '../connection.js';
import { change, namespacePath } from '../control.js';
import { shortcut } from '../keys.js';
import { loadStyle } from '../style_sheet.js';
import {
  answerProblem, busy, confirmDialog, copyButton, errorBox, notAvailable, notify, select,
} from '../widgets.js';
import { tableModel } from '../query/table_model.js';
import { countedSources, databaseOf, kAllKeys, ownParts } from './insights.js';
import { insightsPanel, reportLimits } from './insights_panel.js';
import { sleep, toggle } from './live_list.js';

const kInterval = 2000;  // milliseconds
const kSizes = ['10', '25', '100'].map((size) => [size, `${size} keys per list`]);

class InsightsRoom {
  #states = null;  // by index, as ListContributorInsights tells; null: not yet
  #answer = null;  // of the report
  #isPaused = false;
  #turn = 0;  // of what is asked: an older answer does not replace a newer one
  #shown = '';

  constructor(model, main, signal) {
    Object.assign(this, { model, main, signal });
    this.sources = countedSources(model);
    this.status = h('span', { class: 'quiet', role: 'status' });
    this.area = h('div', { class: 'stack insights' });
    this.size = select(kSizes, { value: '10', 'aria-label': 'Keys per list', on: { change: () => this.read() } });
    this.all = h('button', { on: { click: () => this.#enableAll() }, hidden: true }, 'Enable for table and indexes');
    const pause = toggle('Pause', { change: (isOn) => { this.#isPaused = isOn; } });
    const tools = [
      this.status, this.all, this.size, pause.node,
      copyButton(() => JSON.stringify(this.#answer?.body ?? {}, null, 2), 'Copy the report'),
      h('button', { class: 'danger', on: { click: () => this.#clear() } }, 'Reset counts …'),
    ];
    replace(main, h('div', { class: 'toolbar' }, h('h1', {}, 'Contributor insights'), tools),
      h('p', { class: 'hint' }, 'These lists show the keys that requests use most. '
        + 'Each item or index entry that a request reads or writes counts as one use, '
        + 'also for requests of this page. '
        + 'The server keeps the counts in memory. They start at 0 when you enable insights or restart the server.'),
      this.area);
  }

  get #path() { return namespacePath(session.namespace, 'insights'); }

  /** Reads until the room is left. */
  async watch() {
    await this.#readStates();
    while (!this.signal.aborted) {
      if (!this.#isPaused && !document.hidden) await this.read();
      await sleep(kInterval, this.signal);
    }
  }

  async #readStates() {
    const input = { TableName: this.model.name };
    const { output, error } = await call('ListContributorInsights', input, { signal: this.signal });
    if (this.signal.aborted) return;
    if (error) {
      this.#states = null;
      this.#show(JSON.stringify(error), () => errorBox(error, () => this.refresh()));
      return;
    }
    this.#states = new Map(output.ContributorInsightsSummaries.map((each) => [each.IndexName ?? '', each]));
  }

  async read() {
    const turn = ++this.#turn;
    const query = `?table=${encodeURIComponent(this.model.name)}&limit=${this.size.value}`;
    const answer = await control('GET', this.#path + query, undefined, { signal: this.signal });
    if (this.signal.aborted || turn !== this.#turn) return;
    const isTold = answer.status === 200 && answer.body !== null;
    const isKept = !isTold && answer.status !== 401 && this.#answer?.status === 200;
    this.status.textContent = isKept ? answerProblem(answer) : '';
    if (isKept) return;
    this.#answer = answer;
    if (!this.#states || this.#areStatesOld()) await this.#readStates();
    if (!this.signal.aborted && turn === this.#turn) this.#draw();
  }

  get #parts() {
    if (this.#answer?.status !== 200) return null;
    return ownParts(this.#answer.body, this.model.name, databaseOf(session.status?.isolation, session));
  }

  // Somebody else may have switched counting on or off; and what is ENABLING will be ENABLED.
  #areStatesOld() {
    const parts = this.#parts;
    if ([...this.#states.values()].some(({ ContributorInsightsStatus: status }) => status !== 'ENABLED')) return true;
    const countsAll = (index) => this.#states.get(index)?.ContributorInsightsMode === kAllKeys;
    return parts !== null && (parts.size !== this.#states.size
      || [...parts].some(([index, part]) => Boolean(part.accessed) !== countsAll(index)));
  }

  #draw() {
    if (!this.#states) return;
    const parts = this.#parts;
    this.#show(JSON.stringify([this.#answer.text, [...this.#states]]), () => [
      parts === null ? notAvailable('The report of the most used keys', this.#answer, connectionDialog)
        : reportLimits(this.#answer.body),
      this.sources.map((source) => insightsPanel({
        table: this.model.name, source, isTold: parts !== null,
        state: this.#states.get(source.name ?? ''), part: parts?.get(source.name ?? ''),
        turn: (action, mode, button) => this.#switch([source], action, mode, button),
      })),
    ]);
    this.all.hidden = this.sources.length < 2 || this.sources.every(({ name }) => this.#states.has(name ?? ''));
  }

  // What is the same stays, so that what is marked stays marked and nothing is read out twice.
  #show(shown, make) {
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.area.contains(document.activeElement) ? document.activeElement.dataset.at : undefined;
    replace(this.area, make());
    this.#focus(focused);
  }

  #focus(at) {
    if (at === undefined) return;
    const found = [...this.area.querySelectorAll('[data-at]')].find((node) => node.dataset.at === at) ?? this.main;
    found.focus({ preventScroll: true });
  }

  async refresh() {
    await this.#readStates();
    if (!this.signal.aborted) await this.read();
  }

  async #switch(sources, action, mode, button) {
    const { at } = button.dataset;
    await busy(button, async () => {
      for (const { name } of sources) {
        const { error } = await call('UpdateContributorInsights', {
          TableName: this.model.name, ContributorInsightsAction: action,
          ...(name !== null && { IndexName: name }), ...(mode && { ContributorInsightsMode: mode }),
        }, { signal: this.signal });
        if (error) {
          notify(error.message, { kind: 'bad' });
          break;
        }
      }
      await this.refresh();
    });
    this.#focus(at);
  }

  #enableAll() {
    const sources = this.sources.filter(({ name }) => !this.#states?.has(name ?? ''));
    return this.#switch(sources, 'ENABLE', kAllKeys, this.all);
  }

  // The server forgets all counts of the namespace at once.
  async #clear() {
    const { namespace } = session;
    const agreed = await confirmDialog({
      title: 'Reset counts', confirm: 'Reset counts', danger: true,
      message: `The server resets the counts of all tables and indexes in the namespace ${namespace} to 0.`,
    });
    if (!agreed) return;
    if (await change('DELETE', this.#path)) notify('The counts are reset.', { kind: 'good' });
    await this.read();
  }
}

async function watch(insights) {
  try {
    await insights.watch();
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
  }
}

export const room = {
  title: () => 'Insights',

  async show({ table: name }, { main, signal }) {
    await Promise.all([loadStyle('live/live.css'), session.ready]);
    let insights = null;
    const show = async () => {
      const { table, error } = await catalog.describe(name, { fresh: true, signal });
      if (signal.aborted) return;
      if (error) {
        replace(main, errorBox(error, show));
      } else {
        insights = new InsightsRoom(tableModel(table), main, signal);
        watch(insights);
      }
    };
    shortcut('r', 'Refresh', () => insights?.refresh(), { signal, group: 'In a table' });
    await show();
  },
};
