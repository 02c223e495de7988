// The follower of the directory that ingest runs, in this process, with a clock that the test sets.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, inject } from 'vitest';
import { Directory } from '../../../ingest/authenticate/directory.ts';
import type {
  DirectoryChange,
  DirectoryData,
} from '../../../ingest/authenticate/directory-data.ts';
import type { DirectoryState } from '../../../ingest/authenticate/follow-directory.ts';
import { PostgresFollower } from '../../../ingest/follow-postgres.ts';
import { readVersion } from '../../../schema/environment/build-info.ts';
import { eventually } from '../../harness/eventually.ts';
import { newDirectory } from '../../harness/run-directory.ts';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';
import { keptLog } from './silent-log.ts';

/** Followers and proxies that end with their test. */
export function useFollowers() {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function proxyOf(databaseUrl = inject('databaseUrls').system): Promise<CuttableProxy> {
    const proxy = await startCuttableProxy(databaseUrl);
    cleanUps.push(() => proxy.close());
    return proxy;
  }

  function follow(databaseUrl: string, snapshotPath: string, nowMs = Date.now()): Following {
    const clock = { ms: nowMs, nowMs: () => clock.ms };
    const { log, lines } = keptLog();
    const loads: DirectoryData[] = [];
    const states: DirectoryState[] = [];
    const changes: DirectoryChange[] = [];
    let directory: Directory | undefined;
    const following = new PostgresFollower({
      release: readVersion(),
      onSchemaProblem: problem => {
        throw new Error(problem);
      },
      databaseUrl,
      snapshotPath,
      clock,
      log,
      onDirectory: (change, data) => {
        loads.push(structuredClone(data));
        // Cloned, as messages between threads are.
        changes.push(structuredClone(change));
        directory ??= new Directory();
        directory.apply(structuredClone(change), new Map());
      },
      onState: state => states.push(state),
      onCampaigns: () => undefined,
      onFirstLook: () => undefined,
    });
    const follower = {
      ready: following.directory.ready,
      state: () => following.directory.state(),
      stop: () => following.stop(),
    };
    cleanUps.push(() => follower.stop());
    return { follower, clock, loads, changes, states, lines, directory: () => directory! };
  }

  return { cleanUps, follow, proxyOf };
}

type Following = {
  readonly follower: {
    readonly ready: Promise<void>;
    state(): DirectoryState;
    stop(): Promise<void>;
  };
  readonly clock: { ms: number; nowMs(): number };
  readonly loads: DirectoryData[];
  /** The messages to the worker threads. */
  readonly changes: DirectoryChange[];
  readonly states: DirectoryState[];
  readonly lines: string[];
  readonly directory: () => Directory;
};

export async function snapshotPath(): Promise<string> {
  return join(await newDirectory('directory'), 'directory.snapshot');
}

export async function savedSnapshot(path: string, text: string): Promise<string> {
  return eventually(async () => {
    const saved = await readFile(path, 'utf8');
    expect(saved).toContain(text);
    return saved;
  });
}
