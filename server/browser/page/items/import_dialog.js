// Items of a file into the table: what the file seems to hold is shown before anything is put.

import { call } from '../client.js';
import { h, replace } from '../dom.js';
import { bytes, number, plural } from '../format.js';
import { button, checkbox, dialog, errorBox, field, notify, select, tableHead } from '../widgets.js';
import { createRequest, keyText } from '../values/change.js';
import { isFileError, ItemReader, guessFormat, kFormats, RecordCutter } from '../values/files.js';
import { preview, visible } from '../values/preview.js';
import { findItemProblem, itemBytes } from '../values/types.js';
import { chooseColumns } from './grid_columns.js';
import { putBatch } from './writes.js';

const kExamples = 5;
const kPreviewBytes = 1_000_000;
const kMaxRecord = 64_000_000; // characters
const kShownErrors = 20;
const kBatch = 25;
const kBatchesAtOnce = 4;
const kRoundBytes = 4_000_000; // items of 400 KB: a request has at most 16 MB

async function* pieces(blob) {
  const start = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const raw = isGzip ? blob.stream().pipeThrough(new DecompressionStream('gzip')) : blob.stream();
  const reader = raw.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

// {item, line} or {error, line} of each record; read(count): characters that were taken.
async function* entries(file, format, types, read = () => {}) {
  const cutter = new RecordCutter({ csv: format === 'csv' });
  const reader = new ItemReader(format, types);
  function* taken(records) {
    for (const { text, line } of records) {
      try {
        for (const item of reader.items(text)) yield { item, line };
      } catch (error) {
        if (!isFileError(error)) throw error;
        yield { error: error.message, line };
      }
    }
  }
  for await (const piece of pieces(file)) {
    read(piece.length);
    yield* taken(cutter.take(piece));
    if (cutter.held > kMaxRecord) throw new Error('A record has no end. Check the format.');
  }
  yield* taken(cutter.take('', true));
}

async function firstRecord(file, csv) {
  const cutter = new RecordCutter({ csv });
  let length = 0;
  for await (const piece of pieces(file)) {
    const [record] = cutter.take(piece);
    length += piece.length;
    if (record) return record.text;
    if (length > kPreviewBytes) break;
  }
  return cutter.take('', true)[0]?.text ?? '';
}

async function examplesOf(file, format, model) {
  const found = [];
  for await (const entry of entries(file, format, model.types)) {
    found.push({ ...entry, problem: entry.error ?? findItemProblem(entry.item, model.keys)?.message });
    if (found.length === kExamples) break;
  }
  return found;
}

function exampleTable(model, found) {
  const items = found.filter(({ item }) => item).map(({ item }) => item);
  const names = chooseColumns(items, model.keys.map(({ name }) => name)).slice(0, 8);
  const values = (item) => names.map((name) => (
    h('td', {}, Object.hasOwn(item, name) ? preview(item[name], 40) : '')));
  return h('div', { class: 'grid-scroll examples' }, h('table', { class: 'grid' },
    tableHead(['Line', ...names.map(visible)]),
    h('tbody', {}, found.map(({ line, item, problem }) => h('tr', {}, h('td', {}, number(line)),
      problem ? h('td', { class: 'bad', colspan: String(names.length) }, visible(problem)) : values(item))))));
}

// Puts one by one what must not replace anything. -> {put, kept, errors}
async function createAll(model, batch, signal) {
  const result = { put: 0, kept: 0, errors: [] };
  for (const { item, line } of batch) {
    const { error } = await call('PutItem', createRequest(model.name, model.keys, item), { signal });
    if (!error) result.put += 1;
    else if (error.type === 'ConditionalCheckFailedException') result.kept += 1;
    else result.errors.push({ line, error: error.message });
  }
  return result;
}

// A batch that is refused is put one by one, to find which item it is.
async function replaceAll(model, batch, signal) {
  const error = await putBatch(model, batch.map(({ item }) => item), { signal });
  if (!error) return { put: batch.length, kept: 0, errors: [] };
  const result = { put: 0, kept: 0, errors: [] };
  for (const { item, line } of batch) {
    const answer = await call('PutItem', { TableName: model.name, Item: item }, { signal });
    if (answer.error) result.errors.push({ line, error: answer.error.message });
    else result.put += 1;
  }
  return result;
}

class ImportRun {
  put = 0;
  kept = 0;
  failed = 0;
  read = 0;
  errors = [];

  constructor(model, file, { format, keep, signal, tell }) {
    Object.assign(this, { model, file, format, keep, signal, tell });
  }

  #fail(line, error) {
    this.failed += 1;
    if (this.errors.length < kShownErrors) this.errors.push({ line, error });
  }

  // Of several items with the same key in one round one goes: the last, as if all had gone in turn, or
  // the first where what is there stays.
  async #send(group) {
    const chosen = new Map();
    for (const entry of group) {
      const key = keyText(entry.item, this.model.keys);
      if (!this.keep || !chosen.has(key)) chosen.set(key, entry);
    }
    const entriesOfRound = [...chosen.values()];
    const batches = [];
    for (let at = 0; at < entriesOfRound.length; at += kBatch) batches.push(entriesOfRound.slice(at, at + kBatch));
    const write = this.keep ? createAll : replaceAll;
    const results = await Promise.all(batches.map((batch) => write(this.model, batch, this.signal)));
    for (const { put, kept, errors } of results) {
      this.put += put;
      this.kept += kept;
      for (const { line, error } of errors) this.#fail(line, error);
    }
    this[this.keep ? 'kept' : 'put'] += group.length - chosen.size;
    this.tell(this);
  }

  async run() {
    let group = [];
    let size = 0;
    const seen = (count) => { this.read += count; };
    for await (const { item, error, line } of entries(this.file, this.format, this.model.types, seen)) {
      if (this.signal.aborted) return;
      const problem = error ?? findItemProblem(item, this.model.keys)?.message;
      if (problem) this.#fail(line, problem);
      else group.push({ item, line });
      size += problem ? 0 : itemBytes(item);
      if (group.length === kBatch * kBatchesAtOnce || size > kRoundBytes) {
        await this.#send(group);
        group = [];
        size = 0;
      }
    }
    if (group.length > 0 && !this.signal.aborted) await this.#send(group);
  }
}

const summary = (run) => [
  `${plural(run.put, 'item')} written`, run.kept > 0 && `${number(run.kept)} existing kept`,
  run.failed > 0 && `${plural(run.failed, 'record')} failed`,
].filter(Boolean).join(', ');

const unreadText = (error) => (
  error instanceof TypeError ? 'The file is not valid UTF-8, or its gzip data is not complete.' : error.message);

function errorList(run) {
  if (run.errors.length === 0) return null;
  const line = ({ line: at, error }) => h('li', {}, `Line ${number(at)}: ${visible(error)}`);
  return h('div', { class: 'error' }, h('ul', { class: 'plain-list' }, run.errors.map(line)),
    run.failed > run.errors.length && h('p', {}, `and ${plural(run.failed - run.errors.length, 'other')}`));
}

async function runImport(model, file, options, body) {
  const state = h('p', { role: 'status' }, 'Importing \u2026');
  const stop = new AbortController();
  options.signal.addEventListener('abort', () => stop.abort());
  replace(body, state, h('div', { class: 'actions' }, button('Stop', () => stop.abort())));
  const tell = (each) => (
    replace(state, `${summary(each)} (${bytes(each.read)} of ${bytes(file.size)} read) \u2026`));
  const run = new ImportRun(model, file, { ...options, signal: stop.signal, tell });
  let trouble = null;
  try {
    await run.run();
  } catch (error) {
    if (error.name !== 'AbortError') {
      trouble = { type: 'The import stopped before the end of the file', message: unreadText(error) };
    }
  }
  const result = `${stop.signal.aborted ? 'Stopped: ' : ''}${summary(run)}.`;
  replace(body, trouble && errorBox(trouble), h('p', { role: 'status' }, h('strong', {}, result)), errorList(run));
  return run;
}

function importForm(model, { close, signal, done }) {
  const input = h('input', { type: 'file', accept: '.json,.jsonl,.ndjson,.csv,.gz,.txt', autofocus: true });
  const format = select(Object.entries(kFormats).map(([id, { name }]) => [id, name]), {});
  const keep = checkbox('Keep existing items');
  const shown = h('div', { 'aria-live': 'polite' });
  const start = h('button', { type: 'submit', class: 'primary', disabled: true }, 'Import');
  const show = async () => {
    const [file] = input.files;
    start.disabled = !file;
    if (!file) return;
    try {
      const found = await examplesOf(file, format.value, model);
      replace(shown, found.length === 0 ? h('p', {}, 'The file has no items.') : exampleTable(model, found));
      start.disabled = found.every(({ problem }) => problem);
    } catch (error) {
      start.disabled = true;
      replace(shown, errorBox({ type: 'The page cannot read the file', message: unreadText(error) }));
    }
  };
  const choose = async () => {
    const [file] = input.files;
    if (file) format.value = guessFormat(file.name, await firstRecord(file, false).catch(() => ''));
    show();
  };
  input.addEventListener('change', choose);
  format.addEventListener('change', show);
  const body = h('form', { class: 'stack', on: { submit: async (event) => {
    event.preventDefault();
    if (start.disabled) return;
    const options = { format: format.value, keep: keep.querySelector('input').checked, signal };
    const run = await runImport(model, input.files[0], options, body);
    notify(`${summary(run)}.`, { kind: run.failed > 0 ? 'bad' : 'good' });
    done();
    if (run.failed === 0) close();
    else body.append(h('div', { class: 'actions' }, button('Close', () => close())));
  } } },
  field('File', input, { hint: 'JSON Lines, DynamoDB JSON or CSV, with or without gzip' }), field('Format', format),
  shown, keep,
  h('div', { class: 'actions' }, button('Cancel', () => close()), start));
  return body;
}

export async function importDialog(model, done) {
  const stop = new AbortController();
  const content = (close) => importForm(model, { close, signal: stop.signal, done });
  await dialog({ title: `Import into ${model.name}`, wide: true, content });
  stop.abort();
}
