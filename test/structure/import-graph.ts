// Which file imports which, and the folder or slice of each. A slice is a folder of graphql-api
// with one part of the business. `app` assembles the slices, and all of them may use `platform`.

import { glob, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

export type Import = { readonly from: string; readonly to: string };

const ROOT = join(import.meta.dirname, '..', '..');
/** The files directly in `console` build it. */
const SOURCES = ['{graphql-api,ingest,schema}/**/*.ts', 'console/*/**/*.{ts,tsx}'];
const SPECIFIER = /(?:from|import|import\()\s*'(\.{1,2}\/[^']+\.tsx?)'/g;
const NOT_SLICES: readonly string[] = ['app', 'platform'];

/** Paths are relative to the root of the repository. */
export async function readImports(): Promise<readonly Import[]> {
  const files = await Array.fromAsync(glob(SOURCES, { cwd: ROOT }));
  const imports = await Promise.all(
    files.map(async from => {
      const text = await readFile(join(ROOT, from), 'utf8');
      return [...text.matchAll(SPECIFIER)].map(([, specifier]) => ({
        from,
        to: normalize(join(dirname(from), specifier!)),
      }));
    }),
  );
  return imports.flat();
}

/**
 * Returns `partner` for graphql-api/partner/payout.request.ts; undefined for files outside of
 * slices.
 */
export function sliceOf(path: string): string | undefined {
  const [program, part, ...rest] = path.split('/');
  return program === 'graphql-api' && rest.length > 0 && !NOT_SLICES.includes(part!)
    ? part
    : undefined;
}

/** The slices that each slice imports from. */
export function usesOf(imports: readonly Import[]): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const slice = sliceOf(from);
    if (slice === undefined) continue;
    const used = uses.get(slice) ?? new Set();
    uses.set(slice, used);
    const other = sliceOf(to);
    if (other !== undefined && other !== slice) used.add(other);
  }
  return uses;
}

export function importsAcrossSlices(imports: readonly Import[]): readonly Import[] {
  return imports.filter(({ from, to }) => {
    const [slice, other] = [sliceOf(from), sliceOf(to)];
    return slice !== undefined && other !== undefined && slice !== other;
  });
}

/** Imports of `app` by other files. */
export function importsOfApp(imports: readonly Import[]): readonly Import[] {
  const isApp = (path: string) => path.startsWith('graphql-api/app/');
  return imports.filter(({ from, to }) => isApp(to) && !isApp(from));
}

/** Imports of slices by files in `platform`. */
export function slicesInPlatform(imports: readonly Import[]): readonly Import[] {
  return imports.filter(
    ({ from, to }) => from.startsWith('graphql-api/platform/') && sliceOf(to) !== undefined,
  );
}

/** Pairs of folders that import each other. A folder and its subfolders may do so. */
export function folderCircles(imports: readonly Import[]): readonly string[] {
  const edges = new Set(
    imports.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`).filter(isBetweenPlaces),
  );
  return [...edges].filter(edge => {
    const [a, b] = edge.split(' ') as [string, string];
    return a < b && edges.has(`${b} ${a}`);
  });
}

/** The slices in import cycles of any length; empty if each slice uses only earlier ones. */
export function sliceCircles(uses: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Map(uses);
  for (;;) {
    const free = [...left].filter(([, used]) => ![...used].some(slice => left.has(slice)));
    if (free.length === 0) return [...left.keys()];
    for (const [slice] of free) left.delete(slice);
  }
}

function isBetweenPlaces(edge: string): boolean {
  const [a, b] = edge.split(' ') as [string, string];
  return a !== b && !a.startsWith(`${b}/`) && !b.startsWith(`${a}/`);
}
