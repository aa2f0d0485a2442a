// Prices as text, and the request for a report of costs.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dollars, kModes, kRegions, markText, rateOf, reportRequest } from '../../../server/browser/page/cost/figures.js';

test('prices have cents, small ones more digits, unknown ones a dash', () => {
  const digits = (text) => text.replace(/[^\d.,–]/g, '');
  assert.equal(digits(dollars(1.6425)), '1.64');
  assert.equal(digits(dollars(0.01234)), '0.0123');
  assert.equal(digits(dollars(0)), '0.00');
  assert.equal(dollars(null), '–');
  assert.equal(dollars(undefined), '–');
});

test('a rate is a number from 0 to a billion', () => {
  for (const [text, rate] of [['1', 1], ['0', 0], [' 2.5 ', 2.5], ['', null], ['x', null], ['-1', null], ['1e10', null]]) {
    assert.equal(rateOf(text), rate, text);
  }
});

test('a request has the rates of patterns that the report knows', () => {
  const choice = { rate: 2, region: 'us-east-1', table: '', accessKey: 'PAGE', rates: new Map([['a', 5], ['gone', 7]]) };
  assert.deepEqual(reportRequest(choice, new Set(['a', 'b'])), {
    format: 'json', region: 'us-east-1', calls_per_second: 2, except_access_key: 'PAGE', rates: { a: 5 },
  });
  assert.deepEqual(reportRequest({ ...choice, table: 't' }, new Set(), 'csv'), {
    format: 'csv', region: 'us-east-1', calls_per_second: 2, except_access_key: 'PAGE', table: 't',
  });
});

test('marks have names', () => {
  assert.deepEqual(['scan', 'wide_filter', 'n_plus_one', 'hot_key', 'new_one'].map(markText),
    ['Scan', 'Wide filter', 'N+1 reads', 'Hot key', 'new_one']);
  assert.deepEqual(kModes.map(([mode]) => mode), ['on_demand', 'provisioned']);
  assert.equal(kRegions[0], 'us-east-1');
});
