import { chmod, cp, mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureCluster } from '../../embedded/postgres/cluster.ts';
import { nativePostgres } from '../../embedded/postgres/native.ts';
import { unprivilegedLaunch } from '../../embedded/postgres/unprivileged.ts';
import { newDirectory } from '../harness/run-directory.ts';

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  'Postgres started by root works in a folder without access for other users',
  async () => {
    const home = await realpath(await newDirectory('home-of-root'));
    const packageDirectory = dirname(dirname(nativePostgres().initdb));
    await cp(packageDirectory, join(home, 'package'), { recursive: true, verbatimSymlinks: true });
    await mkdir(join(home, 'data'));
    await chmod(home, 0o700);
    const initdb = join(home, 'package', 'bin', 'initdb');
    const launch = unprivilegedLaunch(undefined, [initdb, join(home, 'data', 'cluster')]);
    await ensureCluster(join(home, 'data'), initdb, launch);
    expect(await readdir(join(home, 'data', 'cluster'))).toContain('PG_VERSION');
  },
);

test.runIf(isRoot)('never runs as root, and keeps the account that has the files', () => {
  const paths = [nativePostgres().postgres];
  expect(unprivilegedLaunch(undefined, paths).user?.uid).not.toBe(0);
  const owner = { uid: 12_345, gid: 12_345 };
  expect(unprivilegedLaunch(owner, paths).user).toEqual(owner);
});

test.runIf(!isRoot)('runs as the current user if that is not root', () => {
  expect(unprivilegedLaunch(undefined, []).user).toBeUndefined();
});
