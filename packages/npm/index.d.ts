/** A server for tests, with its control interface. Durations are texts such as '25h', '90s' and '250ms'. */

export interface StartOptions {
  /** The server's own flags, such as ['--schema', 'orders.json']. */
  flags?: readonly string[];
  /** 0, the default, takes any free one. */
  port?: number;
  cwd?: string;
  /** Another server than that of the package for this platform. */
  binary?: string;
}

export interface ForkOptions {
  /** Else one is made up. */
  name?: string;
  /** true, or a number, for an endpoint of its own; else clients find the fork by its access key. */
  port?: boolean | number;
  /** It is deleted after so long without a request: '10m' unless given. */
  expiresAfter?: string;
}

/** For the constructor of DynamoDBClient. */
export interface ClientConfig {
  endpoint: string;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

export interface Clock {
  now(): Promise<Date>;
  advance(by: string): Promise<void>;
  set(time: Date | string | number): Promise<void>;
  freeze(): Promise<void>;
  unfreeze(): Promise<void>;
  /** Back to real time. */
  reset(): Promise<void>;
}

export interface Faults {
  /** Returns the id of the rule: add({ error: 'ThrottlingException' }, { operations: ['PutItem'], count: 1 }). */
  add(fault: Record<string, unknown>, rule?: Record<string, unknown>): Promise<string>;
  list(): Promise<Record<string, unknown>[]>;
  remove(id: string): Promise<void>;
  clear(): Promise<void>;
}

export interface Journal {
  start(settings?: { bodies?: boolean; bytes?: number }): Promise<void>;
  stop(): Promise<void>;
  records(filters?: Record<string, string>): Promise<Record<string, unknown>[]>;
  /** Rejects with a JournalError if an assertion fails. */
  check(assertions: readonly Record<string, unknown>[], options?: { after?: number }): Promise<void>;
  clear(): Promise<void>;
}

/** Tables of their own, with their clock, faults and journal: `main`, or a fork. Clients find it by its access key. */
export class Namespace {
  /** For clients. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly clientConfig: ClientConfig;
  readonly name: string;
  /** For the control interface. */
  readonly token: string;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly journal: Journal;
  /** A request to /_/namespaces/<name>/<path>, for everything without a method here. */
  control(method: string, path?: string, body?: unknown): Promise<any>;
  /** A copy of this namespace. */
  fork(options?: ForkOptions): Promise<Fork>;
  /** Waits for indexes, expiry and other background work. */
  settle(timeout?: string): Promise<void>;
  reset(): Promise<void>;
  /** Deletes the items of these tables, or of all, and returns their number. */
  truncate(...tables: string[]): Promise<number>;
}

export class Fork extends Namespace {
  delete(): Promise<void>;
}

export class Server extends Namespace {
  readonly port: number;
  /** undefined for a server of connect(). */
  readonly pid: number | undefined;
  /** Can be called again. A server of connect() goes on. */
  stop(): Promise<void>;
}

/** The server did not start. The message has the server's own sentence, or that of the system. */
export class StartError extends Error {}

/** The server refused a control request. The message is its sentence. */
export class ControlError extends Error {
  readonly status: number;
}

/** An assertion on the journal failed. The message has a sentence for each failure. */
export class JournalError extends Error {}

/** Starts a server on a free port, in memory, which ends with this process. Rejects with a StartError. */
export function start(options?: StartOptions): Promise<Server>;

/** A server that runs already: by default that of a globalSetup, or of MAGNETO_ENDPOINT and MAGNETO_CONTROL_TOKEN. */
export function connect(endpoint?: string, token?: string): Server;
