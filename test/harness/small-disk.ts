// A small file system in memory that a test can resize while it is in use.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newDirectory } from './run-directory.ts';

export type SmallDisk = {
  readonly directory: string;
  usedBytes(): Promise<number>;
  /** The size cannot be less than the space in use. */
  resize(bytes: number): void;
  remove(): void;
};

/** Only root may mount, and not in every container. */
export function mayMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'may-mount-'));
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe).status === 0;
  if (isMounted) run('umount', probe);
  rmdirSync(probe);
  return isMounted;
}

export async function smallDisk(bytes: number): Promise<SmallDisk> {
  const directory = await newDirectory('small-disk');
  must('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory);
  return {
    directory,
    async usedBytes() {
      const { blocks, bfree, bsize } = await statfs(directory);
      return (blocks - bfree) * bsize;
    },
    resize: larger => must('mount', '-o', `remount,size=${larger}`, directory),
    // Lazily, because a process of a failed test may still have files open.
    remove: () => must('umount', '-l', directory),
  };
}

function run(command: string, ...args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}

function must(command: string, ...args: string[]): void {
  const { status, stderr } = run(command, ...args);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
