// The chart as it is rendered with all its options, and a checksum of what it was rendered from.

import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const HERE = import.meta.dirname;
export const CHART = join(HERE, '..', 'helm', 'engagement-service');
export const CHART_VALUES = join(HERE, 'helm-values.yaml');
export const RENDERED = join(HERE, 'rendered.yaml');
/** Helm itself knows no cluster here. */
export const KUBERNETES_VERSION = '1.33.0';

/** The first line of rendered.yaml, so that a changed chart is noticed without Helm. */
export async function renderedFrom(): Promise<string> {
  const hash = createHash('sha256');
  const files = await Array.fromAsync(glob('**/*.{yaml,json,tpl}', { cwd: CHART }));
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(CHART, file)));
  hash.update(await readFile(CHART_VALUES));
  return `# Written by npm run deploy:check -- --write from files with the checksum ${hash.digest('hex')}`;
}
