// The file system operations of the spool, so that tests can replace them with a file system that
// forgets unsynced data, tears writes, fills up or fails at a chosen call. Errors are those of
// node:fs.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type SpoolFile = {
  /** Writes all of `bytes` at `position`. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Reads up to `length` bytes at `position`, into `memory` if it is given and large enough. */
  read(position: number, length: number, memory?: Buffer): Promise<Buffer>;
  /** fdatasync: the written bytes and the file's size survive a power loss. */
  datasync(): Promise<void>;
  truncate(bytes: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
};

export type FileSystem = {
  /** A new, empty file; fails if it exists. */
  create(path: string): Promise<SpoolFile>;
  open(path: string): Promise<SpoolFile>;
  /** A new file, or the existing file truncated. */
  overwrite(path: string): Promise<SpoolFile>;
  rename(from: string, to: string): Promise<void>;
  /** Adds a second name for the file; fails if the name exists. */
  link(path: string, secondPath: string): Promise<void>;
  unlink(path: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  /** The names in a directory; empty if it does not exist. */
  list(directory: string): Promise<string[]>;
  /** fsync of the directory: its entries survive a power loss. */
  syncDirectory(directory: string): Promise<void>;
  freeBytes(directory: string): Promise<number>;
};

const write = promisify(fs.write);
const read = promisify(fs.read);
const fdatasync = promisify(fs.fdatasync);
const ftruncate = promisify(fs.ftruncate);
const fstat = promisify(fs.fstat);
const close = promisify(fs.close);
const open = promisify(fs.open);

/** Spool files contain tenants' data. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export const nodeFileSystem: FileSystem = {
  create: async path => spoolFile(await open(path, 'wx+', FILE_MODE)),
  open: async path => spoolFile(await open(path, 'r+', FILE_MODE)),
  overwrite: async path => spoolFile(await open(path, 'w+', FILE_MODE)),
  rename: fs.promises.rename,
  link: fs.promises.link,
  unlink: fs.promises.unlink,
  makeDirectory: makeDirectoryDurably,
  async list(directory) {
    try {
      return await fs.promises.readdir(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  },
  syncDirectory,
  async freeBytes(directory) {
    const stats = await fs.promises.statfs(directory);
    return stats.bavail * stats.bsize;
  },
};

function spoolFile(fd: number): SpoolFile {
  return {
    async write(bytes, position) {
      let written = 0;
      while (written < bytes.length) {
        const result = await write(fd, bytes, written, bytes.length - written, position + written);
        written += result.bytesWritten;
      }
    },
    async read(position, length, memory) {
      const isFit = memory !== undefined && memory.length >= length;
      const bytes = isFit ? memory : Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const result = await read(fd, bytes, filled, length - filled, position + filled);
        if (result.bytesRead === 0) break;
        filled += result.bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    datasync: () => fdatasync(fd),
    truncate: bytes => ftruncate(fd, bytes),
    size: async () => (await fstat(fd)).size,
    close: () => close(fd),
  };
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await fs.promises.open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Each created level is synced into its parent; otherwise a power loss could remove the tree. */
async function makeDirectoryDurably(path: string): Promise<void> {
  const first = await fs.promises.mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  if (first === undefined) return;
  const parents = path.slice(first.length).split('/').filter(Boolean);
  let directory = join(first, '..');
  await syncDirectory(directory);
  directory = first;
  for (const name of parents) {
    await syncDirectory(directory);
    directory = join(directory, name);
  }
}
