// Counts what the form finds, a megabyte at a time; the button stops it meanwhile.

import { call } from '../client.js';
import { replace } from '../dom.js';
import { button, notify } from '../widgets.js';
import { countRequest } from '../query/builder.js';
import { costText } from './request_view.js';

export class ItemCount {
  #counting = null;

  // makeRequest(start), progress(text), counted(total), signal: of the room.
  constructor({ makeRequest, progress, counted, signal }) {
    Object.assign(this, { makeRequest, progress, counted });
    this.button = button('Count', () => this.#click(), { title: 'Read and count all matching items' });
    signal.addEventListener('abort', () => this.#counting?.abort());
  }

  async #click() {
    if (this.#counting) {
      this.#counting.abort();
      return;
    }
    this.#counting = new AbortController();
    replace(this.button, 'Stop counting');
    try {
      await this.#count(this.#counting.signal);
    } catch (error) {
      if (error.name !== 'AbortError') throw error;
    } finally {
      this.#counting = null;
      replace(this.button, 'Count');
    }
  }

  async #count(signal) {
    const cost = { requests: 0, scanned: 0, units: 0, milliseconds: 0 };
    let total = 0;
    let start;
    do {
      const request = countRequest(this.makeRequest(start));
      const { output, error, milliseconds } = await call(request.operation, request.input, { signal });
      if (error) {
        notify(error.message, { kind: 'bad' });
        return;
      }
      total += output.Count;
      start = output.LastEvaluatedKey;
      cost.requests += 1;
      cost.scanned += output.ScannedCount;
      cost.units += output.ConsumedCapacity?.CapacityUnits ?? 0;
      cost.milliseconds += milliseconds;
      this.progress(costText('Count', cost, total));
    } while (start);
    this.counted(total);
  }
}
