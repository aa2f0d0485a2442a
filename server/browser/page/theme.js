// Light or dark: what the system says, until the reader chooses.

const kKey = 'magneto-theme';

export function applyTheme() {
  const chosen = localStorage.getItem(kKey);
  if (chosen) document.documentElement.dataset.theme = chosen;
}

export function switchTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const now = document.documentElement.dataset.theme ?? system;
  const next = now === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  if (next === system) localStorage.removeItem(kKey);
  else localStorage.setItem(kKey, next);
}
