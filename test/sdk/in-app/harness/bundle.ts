import { brotliCompressSync, constants } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Creates one script for browsers, minified as in a release. */
export async function bundle(entry: string, format: 'esm' | 'iife' = 'iife'): Promise<string> {
  const build = await rolldown({ input: entry, tsconfig: false });
  try {
    const { output } = await build.generate({ format, minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}

export function brotliBytes(code: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  return brotliCompressSync(code, { params }).length;
}
