/** A globalSetup: one server for the run, with the flags of `"magneto": {"flags": []}` in package.json. */
export default function setup(): Promise<void | (() => Promise<void> | undefined)>;
