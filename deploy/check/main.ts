// npm run deploy:check: installs Helm and the linters of the tests, lints the chart, renders it and compares the
// result with the committed one. --write replaces that; --install only installs the linters.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs, promisify } from 'node:util';
import { CHART, CHART_VALUES, KUBERNETES_VERSION, RENDERED, renderedFrom } from './chart.ts';
import { HELM, installHelm, installLinters } from './tools.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { install: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  await installLinters();
  if (values.install) return;
  await installHelm();
  await helm('lint', '--strict', CHART, '--values', CHART_VALUES);
  const version = ['--kube-version', KUBERNETES_VERSION];
  const manifests = await helm('template', 'example', CHART, '--values', CHART_VALUES, ...version);
  const rendered = `${await renderedFrom()}\n${manifests}`;
  if (values.write) await writeFile(RENDERED, rendered);
  else if ((await readFile(RENDERED, 'utf8')) !== rendered)
    throw new Error('deploy/check/rendered.yaml is stale: run npm run deploy:check -- --write.');
  process.stdout.write('The chart is valid, and rendered.yaml is up to date.\n');
}

async function helm(...options: string[]): Promise<string> {
  return (await promisify(execFile)(HELM, options)).stdout;
}

main().catch((error: unknown) => {
  process.stderr.write(`deploy:check: ${(error as Error).message}\n`);
  process.exitCode = 1;
});
