// What axe (npm) finds in a page by its rules for accessibility: names of controls, contrast,
// landmarks, tables, order of headings. What only a person can judge it does not see.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of openPage(): the page is to be changed from outside, and to stand still. */
export const kForAxe = { bypassCSP: true, reducedMotion: 'reduce' };

/** Breaches of the rules, as sentences. */
export async function findBarriers(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }));
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).slice(0, 3).join(' | ')}`);
}
