// The rules for the page and its tests, and for packages; ./dev lint runs them from the folder of the project.

import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-len': ['error', { code: 120, ignoreUrls: true }],
      'no-control-regex': 'off',  // hostile texts have such characters
      'no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['conformance/**', 'packages/**'],
    languageOptions: { globals: globals.node },
    rules: { 'max-len': 'off' },
  },
];
