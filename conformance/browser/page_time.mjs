// page_time.mjs <table>: how long a page of the table's items takes, from the click on Next until it is
// drawn, and what of it is work of the page itself. By hand, on a machine that does nothing else.

import { closeBrowser, openPage } from './page.mjs';

const kPages = 20;
const page = await openPage(`tables/${encodeURIComponent(process.argv[2])}/items`);
await page.locator('.items-grid tbody tr').first().waitFor();
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });

async function workSeconds() {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

const next = () => page.evaluate(() => new Promise((resolve) => {
  const where = document.querySelector('.items-foot .quiet');
  const before = where.textContent;
  const start = performance.now();
  const observer = new MutationObserver(() => {
    if (!where.textContent || where.textContent === before) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  });
  observer.observe(where, { childList: true, characterData: true, subtree: true });
  [...document.querySelectorAll('.items-foot button')].find(({ textContent }) => textContent.startsWith('Next')).click();
}));

for (const size of ['50', '100', '500']) {
  await page.getByLabel('Items per page').selectOption(size);
  await page.waitForFunction((wanted) => document.querySelectorAll('.items-grid tbody tr').length >= wanted, Number(size));
  const before = await workSeconds();
  const times = [];
  for (let count = 0; count < kPages; count += 1) times.push(await next());
  const work = (await workSeconds() - before) * 1000 / kPages;
  times.sort((a, b) => a - b);
  process.stdout.write(`${size} items: median ${times[kPages / 2].toFixed(0)} ms, least ${times[0].toFixed(0)} ms; work of the page ${work.toFixed(0)} ms\n`);
}
await closeBrowser();
