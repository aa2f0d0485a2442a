// Statements that were run, the last first, in this browser.

const kKey = 'magneto-statements';
const kMax = 30;
const kMaxLength = 5000;

export function statements() {
  try {
    const kept = JSON.parse(localStorage.getItem(kKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export function keepStatement(text) {
  if (text.length > kMaxLength) return;
  try {
    localStorage.setItem(kKey, JSON.stringify([text, ...statements().filter((each) => each !== text)].slice(0, kMax)));
  } catch {
    // Nowhere to keep it.
  }
}

export const forgetStatements = () => localStorage.removeItem(kKey);
