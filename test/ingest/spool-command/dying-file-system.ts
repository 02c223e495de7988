// A file system whose process dies right before or after a chosen call; later calls never run.

import {
  type FileSystem,
  nodeFileSystem,
  type SpoolFile,
} from '../../../ingest/spool/file-system.ts';

export class Died extends Error {}

export type Dying = { readonly fs: FileSystem; readonly calls: () => number };

/** Dies at call number `call`, counted from 0. */
export function dyingAt(call: number, when: 'before' | 'after'): Dying {
  let calls = 0;
  const step = async <T>(run: () => Promise<T>): Promise<T> => {
    const number = calls++;
    if (number > call || (number === call && when === 'before')) throw new Died(`call ${number}`);
    const result = await run();
    if (number === call) throw new Died(`call ${number}`);
    return result;
  };
  const wrapped = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name: string) => {
        const original = target[name as keyof T] as unknown;
        if (!isFunction(original)) return original;
        return async (...args: unknown[]) => {
          const result = await step(() => original.apply(target, args));
          return isFile(result) ? wrapped(result) : result;
        };
      },
    });
  return { fs: wrapped(nodeFileSystem), calls: () => calls };
}

function isFile(result: unknown): result is SpoolFile {
  return typeof result === 'object' && result !== null && 'datasync' in result;
}

function isFunction(value: unknown): value is (...args: unknown[]) => Promise<unknown> {
  return typeof value === 'function';
}
