// Runs a snippet as it is shown, with an address and a key filled in, and finds its event.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { filledIn, type Snippet } from '../../console/snippets/snippet.ts';
import { eventually } from '../harness/eventually.ts';
import { type EventRow, rows } from '../harness/warehouse.ts';
import { bundle } from './bundle.ts';
import { type Program, runProgram } from './run-program.ts';
import { openShopPage } from './shop-page.ts';

export type Place = {
  readonly host: string;
  readonly tenant: { readonly writeKey: string; readonly workspaceId: string };
  readonly browser: Browser;
  /** Where the packages of the snippet are installed. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export async function runSnippet(snippet: Snippet, place: Place): Promise<void> {
  const { host, tenant, folder, env } = place;
  const code = filledIn(snippet, { host, writeKey: tenant.writeKey });
  if (snippet.runsIn === 'page') {
    await runInPage(page => page.setContent(code), place);
  } else if (snippet.runsIn === 'browser') {
    const content = snippet.install === undefined ? code : await bundle(code, folder);
    await runInPage(page => page.addScriptTag({ content, type: 'module' }), place);
  } else {
    const said = await runProgram(await programOf(snippet.runsIn, code, folder), folder, env);
    await expectTestEvent(tenant.workspaceId, () => said);
  }
}

/** What runs the code; it may be missing on the machine. */
export const PROGRAMS = {
  shell: 'sh',
  node: process.execPath,
  python: 'python3',
  go: 'go',
} as const satisfies Record<Exclude<Snippet['runsIn'], 'page' | 'browser'>, string>;

async function programOf(
  runsIn: keyof typeof PROGRAMS,
  code: string,
  folder: string,
): Promise<Program> {
  const program = PROGRAMS[runsIn];
  if (runsIn === 'node') return [program, '--input-type=module', '--eval', code];
  if (runsIn !== 'go') return [program, '-c', code];
  await mkdir(join(folder, 'snippet'), { recursive: true });
  await writeFile(join(folder, 'snippet', 'main.go'), code);
  return [program, 'run', './snippet'];
}

async function runInPage(
  start: (page: Page) => Promise<unknown>,
  { host, tenant, browser }: Place,
): Promise<void> {
  const { page, said, foreign, close } = await openShopPage(browser, host);
  try {
    await start(page);
    await expectTestEvent(tenant.workspaceId, () => said.join('\n'));
    expect(foreign).toEqual([]);
  } finally {
    await close();
  }
}

/** All snippets send the same event. */
async function expectTestEvent(workspaceId: string, said: () => string): Promise<void> {
  await eventually(async () => {
    const found = await rows<EventRow>(
      `SELECT * FROM events WHERE workspace_id = {workspaceId:UUID} AND type = 'track'`,
      { workspaceId },
    );
    expect(
      found.map(({ event, user_id, properties }) => [event, user_id, JSON.parse(properties)]),
      said(),
    ).toEqual([['Test Event', 'user-1', { total: 49.9 }]]);
  });
}
