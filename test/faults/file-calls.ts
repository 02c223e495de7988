// Intercepts a program's calls to node:fs that touch a file's content or name. It can fail a call,
// cut a write short, or end the process right before or after the call. To the program this looks
// like the operating system, so its code needs no test hooks. Import it before any module that
// imports functions of node:fs by name. Loaded with `--import`, it applies to every thread.

import { syncBuiltinESMExports } from 'node:module';

export type FileCall = {
  readonly kind: 'create' | 'open' | 'write' | 'sync' | 'truncate' | 'rename' | 'unlink' | 'read';
  /** The path of the file or directory; for a rename, the old path. */
  readonly path: string;
  /** True if this handle created the file. */
  readonly isNew: boolean;
  /** The number of previous calls of this kind on the same handle. */
  readonly earlier: number;
  /** The size of a write; for a sync, the size of the last write on the same handle. */
  readonly bytes: number;
  readonly fd: number | undefined;
};

/** Replaces the call with an error, a write of half the bytes, or a call that never returns. */
export type Instead = { readonly error: string } | 'half' | 'never' | undefined;

export type Watcher = {
  before(call: FileCall): Instead;
  /** Runs when the call has succeeded, before it returns to its caller. */
  after(call: FileCall): void;
};

let watcher: Watcher | undefined;

/** Pass `undefined` to stop watching; calls then go straight to the operating system. */
export function watchFileCalls(by: Watcher | undefined): void {
  watcher = by;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Handle = {
  readonly path: string;
  readonly isNew: boolean;
  readonly counts: Map<FileCall['kind'], number>;
  lastBytes: number;
};
type Described = Omit<FileCall, 'kind'>;
type Describe = (self: unknown, args: unknown[]) => Described | undefined;

const fs = process.getBuiltinModule('node:fs') as unknown as Record<string, unknown>;
const promises = fs.promises as Record<string, unknown>;
const handles = new Map<number, Handle>();

const ofName: Describe = (_, [path]) =>
  typeof path === 'string'
    ? { path, isNew: false, earlier: 0, bytes: 0, fd: undefined }
    : undefined;

function ofHandle(kind: FileCall['kind']): Describe {
  return (self, args) => {
    const isByNumber = typeof args[0] === 'number';
    const fd = isByNumber ? Number(args[0]) : (self as { fd?: number } | undefined)?.fd;
    const handle = fd === undefined ? undefined : handles.get(fd);
    if (fd === undefined || handle === undefined) return undefined;
    const earlier = handle.counts.get(kind) ?? 0;
    handle.counts.set(kind, earlier + 1);
    if (kind === 'write') handle.lastBytes = lengthOf(isByNumber ? args.slice(1) : args);
    const { path, isNew, lastBytes: bytes } = handle;
    return { path, isNew, earlier, bytes, fd };
  };
}

/**
 * The size of a write, given as `bytes, offset, length` (the last two optional) or as several
 * buffers.
 */
function lengthOf([bytes, , length]: unknown[]): number {
  if (typeof length === 'number') return length;
  const parts = (Array.isArray(bytes) ? bytes : [bytes]) as (Uint8Array | string)[];
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function isCreating(flags: unknown): boolean {
  return typeof flags === 'string' && /^[wa]/.test(flags);
}

function remember(result: unknown, [path, flags]: unknown[]): void {
  const fd = typeof result === 'number' ? result : (result as { fd: number }).fd;
  handles.set(fd, {
    path: String(path),
    isNew: isCreating(flags),
    counts: new Map(),
    lastBytes: 0,
  });
}

type Wrapping = {
  readonly kind: (args: unknown[]) => FileCall['kind'];
  readonly describe: Describe;
  readonly onResult?: (result: unknown, args: unknown[]) => void;
};

function wrap(
  owner: Record<string, unknown>,
  name: string,
  style: Style,
  wrapping: Wrapping,
): void {
  const original = owner[name] as AnyFunction;
  const { kind, describe, onResult = () => undefined } = wrapping;
  function wrapped(this: unknown, ...args: unknown[]): unknown {
    const described = watcher === undefined ? undefined : describe(this, args);
    const call = described === undefined ? undefined : { kind: kind(args), ...described };
    const instead = call === undefined ? undefined : watcher?.before(call);
    if (typeof instead === 'object') return STYLES[style].fail(args, errorOf(instead.error));
    if (instead === 'never') return new Promise<never>(() => {});
    const actual = instead === 'half' ? halved(args) : args;
    return STYLES[style].run(original, this, actual, result => {
      onResult(result, args);
      if (call !== undefined) watcher?.after(call);
    });
  }
  // Copies the symbol property that promisify() looks for.
  owner[name] = Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}

type Style = keyof typeof STYLES;
type Callback = (error: unknown, ...results: unknown[]) => void;

const STYLES = {
  callback: {
    fail(args: unknown[], error: Error) {
      setImmediate(args.at(-1) as Callback, error);
    },
    run(original: AnyFunction, self: unknown, args: unknown[], done: (result: unknown) => void) {
      const callback = args.at(-1) as Callback;
      const heard: Callback = (error, ...results) => {
        if (error === null || error === undefined) done(results[0]);
        callback(error, ...results);
      };
      return original.call(self, ...args.slice(0, -1), heard);
    },
  },
  promise: {
    fail: (_: unknown[], error: Error) => Promise.reject(error),
    async run(
      original: AnyFunction,
      self: unknown,
      args: unknown[],
      done: (result: unknown) => void,
    ) {
      const result = await original.call(self, ...args);
      done(result);
      return result;
    },
  },
  sync: {
    fail(_: unknown[], error: Error): never {
      throw error;
    },
    run(original: AnyFunction, self: unknown, args: unknown[], done: (result: unknown) => void) {
      const result = original.call(self, ...args);
      done(result);
      return result;
    },
  },
} as const;

function errorOf(code: string): Error {
  return Object.assign(new Error(`${code}: told to fail`), { code });
}

/** The arguments of `write(fd, bytes, offset, length, …)` with half the length. */
function halved(args: unknown[]): unknown[] {
  const length = typeof args[3] === 'number' ? args[3] : (args[1] as Uint8Array).length;
  const [fd, bytes, offset = 0, , ...rest] = args;
  return [fd, bytes, offset, Math.ceil(length / 2), ...rest];
}

const always = (kind: FileCall['kind']) => () => kind;
const opening: Wrapping = {
  kind: ([, flags]) => (isCreating(flags) ? 'create' : 'open'),
  describe: ofName,
  onResult: remember,
};
const HANDLE_CALLS: Record<string, FileCall['kind']> = {
  write: 'write',
  read: 'read',
  fdatasync: 'sync',
  fsync: 'sync',
  ftruncate: 'truncate',
};
const FILE_HANDLE_CALLS: Record<string, FileCall['kind']> = {
  write: 'write',
  writev: 'write',
  writeFile: 'write',
  read: 'read',
  datasync: 'sync',
  sync: 'sync',
  truncate: 'truncate',
};
const NAME_CALLS = ['rename', 'unlink'] as const;

/** No await may come before this: modules loaded next may keep references to these functions. */
function wrapFunctions(): void {
  for (const [name, kind] of Object.entries(HANDLE_CALLS)) {
    wrap(fs, name, 'callback', { kind: always(kind), describe: ofHandle(kind) });
    wrap(fs, `${name}Sync`, 'sync', { kind: always(kind), describe: ofHandle(kind) });
  }
  for (const kind of NAME_CALLS) {
    wrap(fs, kind, 'callback', { kind: always(kind), describe: ofName });
    wrap(fs, `${kind}Sync`, 'sync', { kind: always(kind), describe: ofName });
    wrap(promises, kind, 'promise', { kind: always(kind), describe: ofName });
  }
  wrap(fs, 'open', 'callback', opening);
  wrap(fs, 'openSync', 'sync', opening);
  wrap(promises, 'open', 'promise', opening);
  syncBuiltinESMExports();
}

async function wrapFileHandles(): Promise<void> {
  const nowhere = await (promises.open as typeof import('node:fs').promises.open)('/dev/null');
  const fileHandle = Object.getPrototypeOf(nowhere) as Record<string, unknown>;
  await nowhere.close();
  for (const [name, kind] of Object.entries(FILE_HANDLE_CALLS))
    wrap(fileHandle, name, 'promise', { kind: always(kind), describe: ofHandle(kind) });
}

wrapFunctions();
await wrapFileHandles();
