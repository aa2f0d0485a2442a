// A server that compares signatures: the page asks for keys, and signs with them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { closeBrowser, openPage } from '../page.mjs';

after(closeBrowser);

async function signIn(page, { key, secret, token = '' }) {
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await dialog.getByLabel('Access key', { exact: true }).fill(key);
  await dialog.getByLabel('Secret access key').fill(secret);
  await dialog.getByLabel('Session token').fill(token);
  await dialog.getByRole('button', { name: 'Connect' }).click();
}

test('the page asks for keys, tells that they are wrong, and signs with the right ones', async () => {
  const page = await openPage('tables');
  await page.getByRole('dialog', { name: 'Sign in' }).getByText('UnrecognizedClientException').waitFor();
  await signIn(page, { key: 'dummy', secret: 'wrong' });
  await page.getByRole('dialog', { name: 'Sign in' }).getByText('InvalidSignatureException').waitFor();
  await signIn(page, { key: 'dummy', secret: 'dummy' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('main').getByRole('button', { name: 'New table' }).click();
  await page.getByLabel('Table name').fill('signed-é-no');
  await page.getByLabel('Partition key', { exact: true }).and(page.locator('input')).fill('id');
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.locator('main .error').getByText('ValidationException').waitFor();
  await page.getByLabel('Table name').fill('signed');
  await page.getByRole('button', { name: 'Create the table' }).click();
  await page.waitForURL(/#\/tables\/signed$/);
  await page.getByRole('heading', { name: 'signed' }).waitFor();
  await page.done();
});

test('keys of a session have a token, and are forgotten with the page', async () => {
  const page = await openPage('tables');
  await signIn(page, { key: 'SESSION', secret: 'secret/of+session', token: 'to/ken+==' });
  await page.locator('main').getByRole('link', { name: 'signed', exact: true }).waitFor();
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  assert.equal(kept.includes('secret/of+session'), false);
  await page.reload();
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.locator('main .error').waitFor();
  await page.done();
});
