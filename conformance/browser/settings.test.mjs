// The rooms of test controls and of namespaces. Where the server has no such control, only how the page bears it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { control, skipWithout } from './control.mjs';
import { call, checkHarmless, closeBrowser, hostileTexts, makeTable, openPage } from './page.mjs';

after(closeBrowser);

const kMain = '/_/namespaces/main';
const noNamespaces = await skipWithout('/_/namespaces');
const noClock = await skipWithout(`${kMain}/clock`);
const noFaults = await skipWithout(`${kMain}/faults`);
const noConsistency = await skipWithout(`${kMain}/consistency`);
const noSnapshots = await skipWithout('/_/snapshots');

// Parts of control settings that a server may be without.
const without = async (what, method, path, body) => ((await control(method, path, body)).status < 300 ? false : `the server cannot ${what}`);
const noFreeze = noClock || await without('freeze the clock', 'PUT', `${kMain}/clock`, { frozen: false });
const noForks = noNamespaces || await without('fork', 'POST', '/_/namespaces', { name: 'fork-of-probe', from: { namespace: 'main' } });
const noSettle = noNamespaces || await without('settle', 'POST', `${kMain}/settle`, {});

const panel = (page, name) => page.getByRole('region', { name, exact: true });

// Of earlier runs.
before(async () => {
  if (!noFaults) await control('DELETE', `${kMain}/faults`);
  if (!noClock) await control('DELETE', `${kMain}/clock`);
  if (!noForks) await control('DELETE', '/_/namespaces/fork-of-probe');
  if (!noNamespaces) {
    const { body } = await control('GET', '/_/namespaces');
    const made = body.namespaces.filter(({ name, from }) => name === 'from-page' || from?.namespace === 'from-page');
    for (const { name } of made.reverse()) await control('DELETE', `/_/namespaces/${name}`);
  }
  if (!noSnapshots) await control('DELETE', '/_/snapshots/page-snapshot');
});

/** Every path of the control interface answers as on a server without it. */
async function withoutControls(page) {
  await page.route('**/_/**', (route) => (/\/_\/(assets\/.*)?$/.test(new URL(route.request().url()).pathname)
    ? route.fallback() : route.fulfill({ status: 404, contentType: 'text/plain', body: 'no' })));
  await page.reload();
}

test('a control that is not there is a calm sentence', async () => {
  const page = await openPage('controls');
  await withoutControls(page);
  for (const sentence of ['The clock is not available', 'Fault injection is not available', 'The consistency control is not available', 'The state control is not available']) {
    await page.getByText(sentence).waitFor();
  }
  for (const [place, sentence] of [
    ['namespaces', 'The list of namespaces is not available'], ['requests', 'The request journal is not available'], ['charts', 'The statistics endpoint is not available'],
  ]) {
    await page.goto(page.url().replace(/#.*/, `#/${place}`));
    await page.getByText(sentence).waitFor();
  }
  await page.done();
});

test('a token that is wrong is asked for', async () => {
  const page = await openPage('requests');
  await page.route('**/_/namespaces/**', (route) => route.fulfill({ status: 401, contentType: 'application/json', body: '{"error":"Give the token."}' }));
  await page.reload();
  await page.getByRole('button', { name: 'Enter the token' }).click();
  await page.getByRole('dialog').waitFor();
  await page.done();
});

test('the clock is advanced, frozen and set back', { skip: noFreeze }, async () => {
  const page = await openPage('controls');
  await page.clock.install();
  await page.reload();
  const clock = panel(page, 'Clock');
  await clock.getByRole('button', { name: '+ 1 hour' }).click();
  await clock.getByText('The clock runs 1h ahead of real time.').waitFor();
  const { body } = await control('GET', `${kMain}/clock`);
  const ahead = Date.parse(body.now) - Date.now();
  assert.ok(Math.abs(ahead - 3_600_000) < 60_000, String(ahead));
  const going = await clock.locator('time').innerText();
  await page.clock.fastForward(5_000);
  await page.waitForFunction((before) => document.querySelector('.clock-face').textContent !== before, going);
  await clock.getByRole('button', { name: 'Freeze' }).click();
  await clock.getByText('The clock is frozen.').waitFor();
  const face = await clock.locator('time').innerText();
  await page.clock.fastForward(5_000);
  assert.equal(await clock.locator('time').innerText(), face);
  await clock.getByLabel('Advance by').fill('soon');
  await clock.getByRole('button', { name: 'Advance' }).click();
  assert.equal(await clock.locator('input:invalid').count(), 1);
  await clock.getByLabel('Advance by').fill('2d');
  await clock.getByRole('button', { name: 'Advance' }).click();
  await page.waitForFunction((before) => document.querySelector('.clock-face').textContent !== before, face);
  await clock.getByRole('button', { name: 'Reset to real time' }).click();
  await clock.getByText('The clock runs with real time.').waitFor();
  await page.done();
});

test('a rule of faults is made by its form, hits, and is removed', { skip: noFaults }, async () => {
  await makeTable('settings-faults', { hash: ['id', 'S'] });
  const page = await openPage('controls');
  const faults = panel(page, 'Faults');
  await faults.getByRole('button', { name: 'Add a rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  const error = form.getByLabel('Error');
  assert.equal(await error.inputValue(), 'ProvisionedThroughputExceededException');
  assert.equal(await error.evaluate((input) => input.scrollWidth > input.clientWidth), false, 'it is cut');
  await error.fill('ThrottlingException');
  await form.getByLabel('Operations').fill('GetItem');
  await form.getByLabel('Table').selectOption('settings-faults');
  await form.getByLabel('Maximum hits').fill('2');
  await form.getByText('GetItem on settings-faults fails with ThrottlingException, at most 2 times.').waitFor();
  await form.getByRole('button', { name: 'Add the rule' }).click();
  await form.waitFor({ state: 'detached' });
  await faults.getByText('GetItem on settings-faults fails with ThrottlingException, at most 2 times.').waitFor();
  const get = () => call('GetItem', { TableName: 'settings-faults', Key: { id: { S: 'a' } } });
  await assert.rejects(get(), /ThrottlingException/);
  await assert.rejects(get(), /ThrottlingException/);
  await get();
  await faults.getByRole('button', { name: 'Refresh hits' }).click();
  await faults.getByText('(used up)').waitFor();
  await faults.getByRole('button', { name: /^Remove:/ }).click();
  await faults.getByText('There are no fault rules.').waitFor();
  assert.deepEqual((await control('GET', `${kMain}/faults`)).body.rules, []);
  await page.done();
});

test('a form of faults names what is wrong, and every preset makes a rule', { skip: noFaults }, async () => {
  const page = await openPage('controls');
  const faults = panel(page, 'Faults');
  await faults.getByRole('button', { name: 'Add a rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await form.getByLabel('Probability').fill('2');
  await form.getByRole('button', { name: 'Add the rule' }).click();
  await form.getByText('probability: Enter a number from 0 to 1.').waitFor();
  await form.getByRole('button', { name: 'Close' }).click();
  const names = ['Throttle all writes', 'Throttle 10 % of requests', 'Add 250 ms', 'Write, then drop the connection', 'Leave half of each batch unprocessed', 'One transaction conflict'];
  for (const name of names) {
    await faults.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByRole('button', { name }).click();
    await form.getByRole('button', { name: 'Add the rule' }).click();
    await form.waitFor({ state: 'detached' });
  }
  await faults.getByRole('button', { name: /^Remove:/ }).nth(names.length - 1).waitFor();
  await faults.getByRole('button', { name: 'Remove all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove all' }).click();
  await faults.getByText('There are no fault rules.').waitFor();
  await page.done();
});

test('rules of others are text, whatever they hold', { skip: noFaults }, async () => {
  for (const text of hostileTexts) {
    await control('POST', `${kMain}/faults`, { table: 'none', key: { [text]: text }, fault: { error: 'ThrottlingException', message: text } });
  }
  const page = await openPage('controls');
  const faults = panel(page, 'Faults');
  await faults.getByText('As JSON').first().click();
  await checkHarmless(page);
  await control('DELETE', `${kMain}/faults`);
  await page.done();
});

test('consistency is changed and changed back', { skip: noConsistency }, async () => {
  const page = await openPage('controls');
  const consistency = panel(page, 'Consistency');
  await consistency.getByLabel('Global indexes').selectOption('Lag by');
  await consistency.getByLabel('By', { exact: true }).fill('3s');
  await consistency.getByLabel('Eventually consistent reads').selectOption('Some are stale');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('Global indexes lag by 3s; 50 % of eventually consistent reads are stale.').waitFor();
  await consistency.getByLabel('Global indexes').selectOption('Held');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByRole('button', { name: 'Release all' }).waitFor();
  await consistency.getByLabel('Global indexes').selectOption('Default');
  await consistency.getByLabel('Eventually consistent reads').selectOption('Default');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('Global indexes use the default lag; eventually consistent reads use the default.').waitFor();
  await page.done();
});

test('reads that are held say so, and are let through', { skip: noConsistency }, async () => {
  await control('DELETE', `${kMain}/consistency`);
  await makeTable('settings-held', { hash: ['id', 'S'] });
  const page = await openPage('controls');
  const consistency = panel(page, 'Consistency');
  assert.equal(await consistency.getByLabel('Replicas in other regions').isVisible(), false);
  await consistency.getByLabel('Eventually consistent reads').selectOption('Held');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('eventually consistent reads return a held state, 0 writes behind.').waitFor();
  for (const id of ['a', 'b']) await call('PutItem', { TableName: 'settings-held', Item: { id: { S: id } } });
  // A change of another control releases nothing.
  await consistency.getByLabel('Global indexes').selectOption('Lag by');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('Global indexes lag by 2s; eventually consistent reads return a held state, 2 writes behind.').waitFor();
  assert.equal((await call('Scan', { TableName: 'settings-held' })).Count, 0);
  await consistency.getByRole('button', { name: 'Release one change' }).click();
  await consistency.getByText('1 write behind').waitFor();
  assert.equal((await call('Scan', { TableName: 'settings-held' })).Count, 1);
  await consistency.getByRole('button', { name: 'Release all' }).click();
  await consistency.getByText('0 writes behind').waitFor();
  assert.equal((await call('Scan', { TableName: 'settings-held' })).Count, 2);
  await control('DELETE', `${kMain}/consistency`);
  await page.done();
});

test('replicas lag where there can be some', { skip: noConsistency }, async () => {
  await control('DELETE', `${kMain}/consistency`);
  const page = await openPage('controls');
  await page.route('**/_/status', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...await response.json(), isolation: 'region' } });
  });
  await page.reload();
  const consistency = panel(page, 'Consistency');
  const lagOf = async () => (await control('GET', `${kMain}/consistency`)).body.replication_lag;
  await consistency.getByLabel('Replicas in other regions').selectOption('Lag by');
  await consistency.getByLabel('Replicas by').fill('soon');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  assert.equal(await lagOf(), null);
  await consistency.getByLabel('Replicas by').fill('1m30s');
  await page.keyboard.press('Enter');
  await consistency.getByText('Global indexes use the default lag; replicas lag by 1m30s; eventually consistent reads use the default.').waitFor();
  assert.equal(await lagOf(), '1m30s');
  await consistency.getByLabel('Replicas in other regions').selectOption('Held');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('replicas keep their present state').waitFor();
  assert.equal(await lagOf(), 'held');
  await consistency.getByLabel('Replicas in other regions').selectOption('Default');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('Global indexes use the default lag; eventually consistent reads use the default.').waitFor();
  assert.equal(await lagOf(), null);
  await page.done();
});

test('expired items stay for as long as the reader says', { skip: noConsistency }, async () => {
  await control('DELETE', `${kMain}/consistency`);
  const { body: { ttl_delay: usual } } = await control('GET', `${kMain}/consistency`);
  const page = await openPage('controls');
  const consistency = panel(page, 'Consistency');
  const delayOf = async () => (await control('GET', `${kMain}/consistency`)).body.ttl_delay;
  const delay = consistency.getByLabel('Delete expired items after');
  assert.equal(await delay.inputValue(), usual);
  await delay.fill('soon');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  assert.equal(await delayOf(), usual);
  await delay.fill('1h30m');
  await page.keyboard.press('Enter');
  await consistency.getByText('The server deletes items 1h30m after expiry.').waitFor();
  assert.equal(await delayOf(), '1h30m');
  await delay.fill('0');
  await consistency.getByRole('button', { name: 'Apply' }).click();
  await consistency.getByText('The server deletes items at expiry.').waitFor();
  assert.equal(await delayOf(), '0');
  await control('DELETE', `${kMain}/consistency`);
  await page.done();
});

test('namespaces are created, forked, switched to and deleted', { skip: noForks }, async () => {
  const page = await openPage('namespaces');
  await page.getByRole('button', { name: 'New namespace' }).click();
  const form = page.getByRole('dialog', { name: 'New namespace' });
  await form.getByLabel('Name').fill('from-page');
  await form.getByRole('button', { name: 'Create' }).click();
  const row = page.getByRole('row', { name: /from-page/ });
  await row.getByText('Empty').waitFor();
  await row.getByRole('button', { name: 'Fork from-page' }).click();
  await page.getByRole('row', { name: /Fork of from-page/ }).waitFor();
  await row.getByRole('button', { name: 'Switch to from-page' }).click();
  await page.waitForURL(/#\/tables$/);
  assert.equal(await page.getByRole('combobox', { name: 'Namespace' }).inputValue(), 'from-page');
  await page.goto(page.url().replace(/#.*/, '#/namespaces'));
  await page.getByRole('row', { name: /Fork of from-page/ }).getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row', { name: /Fork of from-page/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete from-page' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(/#\/tables$/);
  assert.equal((await control('GET', '/_/namespaces/from-page')).status, 404);
  await page.done();
});

test('snapshots are taken, restored with the name typed, and deleted', { skip: noSnapshots || noNamespaces }, async () => {
  const page = await openPage('namespaces');
  await page.getByRole('button', { name: 'Take a snapshot' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('page-snapshot');
  await page.getByRole('dialog').getByRole('button', { name: 'Take the snapshot' }).click();
  const row = page.getByRole('row', { name: /page-snapshot/ });
  await row.getByRole('button', { name: 'Restore into main …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore main' });
  assert.equal(await dialog.getByRole('button', { name: 'Restore' }).isDisabled(), true);
  await dialog.getByRole('textbox').fill('main');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText(/main was restored from page-snapshot/).waitFor();
  await row.getByRole('button', { name: 'Delete page-snapshot' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await page.done();
});

test('background work is finished, and items are deleted only after a confirmation', { skip: noSettle }, async () => {
  await makeTable('settings-state', { hash: ['id', 'S'] });
  const page = await openPage('controls');
  const state = panel(page, 'State');
  await state.getByRole('button', { name: 'Finish background work' }).click();
  await page.getByText('All background work is done.').waitFor();
  await state.getByRole('button', { name: 'Delete all items …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await state.getByRole('button', { name: 'Reset …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset main' });
  assert.equal(await dialog.getByRole('button', { name: 'Reset' }).isDisabled(), true);
  await page.keyboard.press('Escape');
  await call('DescribeTable', { TableName: 'settings-state' });
  await page.done();
});
