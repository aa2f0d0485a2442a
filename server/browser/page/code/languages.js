// A request in the languages that the page knows.

import { safeJson, writeCli } from './cli.js';
import { writeGo } from './go.js';
import { writeJava } from './java.js';
import { writeJavaScript } from './javascript.js';
import { writePython } from './python.js';
import { isKnown } from './shapes.js';

const typed = (write) => (request, options) => (isKnown(request) ? write(request, options) : null);

// write(request, {endpoint, region, accessKeyId, secretAccessKey}): a whole program or command that
// runs as it is, null where the language cannot have the request. Without accessKeyId it takes the
// keys of its environment.
export const kLanguages = [
  { id: 'json', name: 'JSON', write: ({ input }) => `${safeJson(input, 2)}\n` },
  { id: 'cli', name: 'AWS CLI', write: writeCli },
  { id: 'javascript', name: 'JavaScript', write: writeJavaScript },
  { id: 'python', name: 'Python', write: writePython },
  { id: 'java', name: 'Java', write: typed(writeJava) },
  { id: 'go', name: 'Go', write: typed(writeGo) },
];
