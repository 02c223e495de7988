// Links in documents point to existing files and headings.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');
/** `[text](path#heading)`, but not links to other sites. */
const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g;

test.each(DOCUMENTS)('%s', document => {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const broken = [...text.matchAll(LINK)].filter(([, path = '', heading]) => {
    const target = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(ROOT, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});

/** The anchors that GitHub creates for headings. */
function headingsOf(document: string): readonly string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
