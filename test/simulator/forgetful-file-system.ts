// A file system that guarantees what POSIX guarantees and no more: content is durable after
// datasync, names after the sync of their directory. A crash loses all other data, keeps some of
// it, or tears it, at random. The disk can be full, each call can be made to fail, a failed sync
// may drop its writes for good, and each protection can be switched off.

import { dirname } from 'node:path';
import type { FileSystem, SpoolFile } from '../../ingest/spool/file-system.ts';

type Write =
  | { readonly position: number; readonly bytes: Buffer }
  | { readonly truncatedTo: number };

type Inode = {
  content: Buffer;
  durable: Buffer;
  pending: Write[];
  /**
   * A failed sync dropped writes: they can be read until the crash, but no later sync makes them
   * durable.
   */
  hasForgotten?: boolean;
};

export type Protections = { readonly datasync: boolean; readonly syncDirectory: boolean };

export type FileSystemCall =
  | 'create'
  | 'open'
  | 'write'
  | 'read'
  | 'datasync'
  | 'truncate'
  | 'size'
  | 'close'
  | 'rename'
  | 'link'
  | 'unlink'
  | 'makeDirectory'
  | 'list'
  | 'syncDirectory'
  | 'freeBytes';
export type FileSystemFault = 'EIO' | 'ENOSPC';

export class ForgetfulFileSystem implements FileSystem {
  private readonly names = new Map<string, Inode>();
  private readonly durableNames = new Map<string, Inode>();
  private readonly random: () => number;
  private readonly protections: Protections;
  private isDead = false;
  /** The number of calls so far. */
  calls = 0;
  /** The maximum size of all files together. */
  capacityBytes = Number.POSITIVE_INFINITY;
  /** Called before each file system call; decides whether it fails. */
  fault: (call: FileSystemCall, path: string) => FileSystemFault | undefined = () => undefined;

  constructor(
    random: () => number,
    protections: Protections = { datasync: true, syncDirectory: true },
  ) {
    this.random = random;
    this.protections = protections;
  }

  /** The contents of the disk after a power loss; this instance accepts no more calls. */
  crash(): ForgetfulFileSystem {
    this.isDead = true;
    const after = new ForgetfulFileSystem(this.random, this.protections);
    after.capacityBytes = this.capacityBytes;
    const survivors = new Map(this.durableNames);
    for (const [path, inode] of this.names) if (this.random() < 0.5) survivors.set(path, inode);
    for (const path of this.durableNames.keys())
      if (!this.names.has(path) && this.random() < 0.5) survivors.delete(path);
    for (const [path, inode] of survivors) {
      const content = this.afterCrash(inode);
      const survivor = { content, durable: content, pending: [] };
      after.names.set(path, survivor);
      after.durableNames.set(path, survivor);
    }
    return after;
  }

  /** The current content of a file, for a test to damage. */
  file(path: string): Buffer | undefined {
    return this.names.get(path)?.content;
  }

  paths(): string[] {
    return [...this.names.keys()];
  }

  async create(path: string): Promise<SpoolFile> {
    await this.step('create', path);
    if (this.names.has(path)) throw errno('EEXIST');
    return this.overwrite(path);
  }

  usedBytes(): number {
    let bytes = 0;
    for (const { content } of this.names.values()) bytes += content.length;
    return bytes;
  }

  async open(path: string): Promise<SpoolFile> {
    await this.step('open', path);
    const inode = this.names.get(path);
    if (inode === undefined) throw errno('ENOENT');
    return this.handle(inode, path);
  }

  async overwrite(path: string): Promise<SpoolFile> {
    await this.step('create', path);
    const existing = this.names.get(path);
    if (existing !== undefined) {
      truncate(existing, 0);
      return this.handle(existing, path);
    }
    const inode: Inode = { content: Buffer.alloc(0), durable: Buffer.alloc(0), pending: [] };
    this.names.set(path, inode);
    return this.handle(inode, path);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.step('rename', from);
    const inode = this.names.get(from);
    if (inode === undefined) throw errno('ENOENT');
    this.names.delete(from);
    this.names.set(to, inode);
  }

  async link(path: string, secondPath: string): Promise<void> {
    await this.step('link', path);
    const inode = this.names.get(path);
    if (inode === undefined) throw errno('ENOENT');
    if (this.names.has(secondPath)) throw errno('EEXIST');
    this.names.set(secondPath, inode);
  }

  async unlink(path: string): Promise<void> {
    await this.step('unlink', path);
    if (!this.names.delete(path)) throw errno('ENOENT');
  }

  makeDirectory(path: string): Promise<void> {
    return this.step('makeDirectory', path);
  }

  async list(directory: string): Promise<string[]> {
    await this.step('list', directory);
    return [...this.names.keys()]
      .filter(path => dirname(path) === directory)
      .map(path => path.slice(directory.length + 1));
  }

  async syncDirectory(directory: string): Promise<void> {
    await this.step('syncDirectory', directory);
    if (!this.protections.syncDirectory) return;
    for (const path of this.durableNames.keys())
      if (dirname(path) === directory && !this.names.has(path)) this.durableNames.delete(path);
    for (const [path, inode] of this.names)
      if (dirname(path) === directory) this.durableNames.set(path, inode);
  }

  async freeBytes(directory: string): Promise<number> {
    await this.step('freeBytes', directory);
    return Math.max(0, this.capacityBytes - this.usedBytes());
  }

  private handle(inode: Inode, path: string): SpoolFile {
    return {
      write: async (bytes, position) => {
        await this.step('write', path);
        // On a full disk, a write stores as much as fits and then fails.
        const room = this.capacityBytes - this.usedBytes() + inode.content.length - position;
        const taken = Math.min(bytes.length, Math.max(0, room));
        const write = { position, bytes: Buffer.from(bytes.subarray(0, taken)) };
        inode.pending.push(write);
        inode.content = applied(inode.content, write);
        if (taken < bytes.length) throw errno('ENOSPC');
      },
      read: async (position, length, memory) => {
        await this.step('read', path);
        const content = inode.content.subarray(position, position + length);
        if (memory === undefined || memory.length < length) return Buffer.from(content);
        return memory.subarray(0, content.copy(memory));
      },
      datasync: async () => {
        await this.datasync(inode, path);
      },
      truncate: async bytes => {
        await this.step('truncate', path);
        truncate(inode, bytes);
      },
      size: async () => {
        await this.step('size', path);
        return inode.content.length;
      },
      close: () => this.step('close', path),
    };
  }

  private async datasync(inode: Inode, path: string): Promise<void> {
    try {
      await this.step('datasync', path);
    } catch (error) {
      // Like Linux: the pages are marked clean, so a later sync has nothing to write.
      const kept = inode.pending.filter(() => this.random() < 0.5);
      if (kept.length < inode.pending.length) inode.hasForgotten = true;
      inode.pending = kept;
      throw error;
    }
    if (!this.protections.datasync) return;
    inode.durable = inode.hasForgotten
      ? inode.pending.reduce(applied, inode.durable)
      : inode.content;
    inode.pending = [];
  }

  /**
   * Every call takes a turn of the event loop, so that calls interleave. A dead disk never
   * responds.
   */
  private async step(call: FileSystemCall, path: string): Promise<void> {
    this.calls++;
    await new Promise<void>(resolve => setImmediate(resolve));
    if (this.isDead) await new Promise<never>(() => {});
    const fault = this.fault(call, path);
    if (fault !== undefined) throw errno(fault);
  }

  /**
   * Each write since the last sync may have reached the disk, completely or in part, in any order.
   */
  private afterCrash(inode: Inode): Buffer {
    let content = inode.durable;
    for (const write of inode.pending) {
      const luck = this.random();
      if (luck < 0.4) continue;
      if ('truncatedTo' in write || luck < 0.7) content = applied(content, write);
      else content = applied(content, { ...write, bytes: this.torn(write.bytes) });
    }
    return content;
  }

  /** Either the end is missing, or the file has its new size but a range of it was not written. */
  private torn(bytes: Buffer): Buffer {
    const start = Math.floor(this.random() * bytes.length);
    if (this.random() < 0.5) return bytes.subarray(0, start);
    const end = start + Math.ceil(this.random() * (bytes.length - start));
    return Buffer.from(bytes).fill(0, start, end);
  }
}

function truncate(inode: Inode, truncatedTo: number): void {
  inode.pending.push({ truncatedTo });
  inode.content = applied(inode.content, { truncatedTo });
}

function applied(content: Buffer, write: Write): Buffer {
  if ('truncatedTo' in write) return Buffer.from(content.subarray(0, write.truncatedTo));
  const result = Buffer.alloc(Math.max(content.length, write.position + write.bytes.length));
  content.copy(result);
  write.bytes.copy(result, write.position);
  return result;
}

function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
