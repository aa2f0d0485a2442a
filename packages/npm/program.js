// The server's program, which lies in a package for each platform, and why a system cannot run it.

import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';

const ELF = 0x7f454c46;
const MACHINES = { x64: 62, arm64: 183 }; // e_machine of an ELF file

/** The server did not start. The message has the server's own sentence, or that of the system. */
export class StartError extends Error {
  name = 'StartError';
}

export function findProgram() {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
  const packages = Object.keys(optionalDependencies);
  const wanted = packages.find((name) => name.endsWith(`-${process.platform}-${process.arch}`) ||
    name.endsWith(`/${process.platform}-${process.arch}`));
  if (!wanted) {
    throw new StartError(`there is no server for ${process.platform} on ${process.arch}, only ${packages.join(' and ')}`);
  }
  try {
    return createRequire(import.meta.url).resolve(`${wanted}/bin/magneto`);
  } catch {
    throw new StartError(`the package ${wanted} is missing, which has the server. npm leaves it out with --omit=optional, and a ` +
      'node_modules of another platform lacks it: run npm install here, without that option');
  }
}

function machineOf(program) {
  const header = Buffer.alloc(20);
  const file = openSync(program);
  try {
    readSync(file, header);
  } finally {
    closeSync(file);
  }
  return header.readUInt32BE(0) === ELF ? header.readUInt16LE(18) : undefined;
}

/** Node.js would have a shell read a program of another processor as a script. */
export function checkMachine(program) {
  if (!existsSync(program)) throw new StartError(`${program}: No such file or directory`);
  const machine = machineOf(program);
  if (machine !== undefined && machine !== MACHINES[process.arch]) {
    throw new StartError(`${program} is built for another system or processor than this one, ${process.platform} on ${process.arch}`);
  }
}

export function whyItCannotRun(program, error) {
  if (error.code === 'ENOENT') {
    return `${program} needs the loader of glibc, which this system lacks. Systems with musl, such as Alpine, cannot run it`;
  }
  if (error.code === 'EACCES') {
    return `${program} may not be run: its file is not executable, or its file system is mounted noexec`;
  }
  return `${program} cannot be run: ${error.message}`;
}
