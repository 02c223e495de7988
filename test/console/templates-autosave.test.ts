// A draft of a template saves itself, and never loses what was typed.

import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { useDeps } from '../graphql-api/harness/deps.ts';
import { templateActions } from '../graphql-api/harness/template-actions.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
const deps = useDeps();
const open = useConsole(useChromium());
const { act, draft } = templateActions(deps, () => tenant);
let tenant: Tenant;
let path: string;

beforeEach(async () => {
  tenant = await createTenant();
  const { id } = await act(templateCreate, { name: 'Welcome' });
  const versionId = encodeNodeId('TemplateVersion', await draft(id, 'Hello'));
  path = `/templates/${encodeNodeId('Template', id)}/${versionId}/edit`;
});

async function openDraft(mayFail?: RegExp): Promise<Page> {
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const page = await open({ url: api().url, token, path, ...(mayFail && { mayFail }) });
  await textOf(page).waitFor();
  return page;
}

const textOf = (page: Page) => page.getByLabel('Text', { exact: true });

/** Of the save bar. */
const stateOf = (page: Page, state: string | RegExp) =>
  page.getByRole('status').filter({ hasText: state });

const SAVED = /^Saved$/;

test('a draft is saved after a pause in typing, without a click', async () => {
  const page = await openDraft();
  await textOf(page).fill('Hello {{first_name}}, welcome.');
  await stateOf(page, SAVED).waitFor();
  await page.reload();
  await stateOf(page, SAVED).waitFor();
  expect(await textOf(page).inputValue()).toBe('Hello {{first_name}}, welcome.');
});

test('another tab does not overwrite a newer draft: its user chooses which text stays', async () => {
  const page = await openDraft();
  const other = await openDraft();
  await textOf(page).fill('Hello from the first tab');
  await stateOf(page, SAVED).waitFor();
  await textOf(other).fill('Hello from the second tab');
  const conflict = other.getByRole('alert').filter({ hasText: 'The draft wasn’t saved' });
  await conflict.waitFor();
  await stateOf(other, 'Not saved: Someone else changed the draft.').waitFor();
  expect(await textOf(other).inputValue()).toBe('Hello from the second tab');
  await lookAt(other, 'template-conflict');
  await conflict.getByRole('button', { name: /^Keep my changes/ }).click();
  await stateOf(other, SAVED).waitFor();
  await textOf(page).fill('Hello again from the first tab');
  await page.getByRole('button', { name: /^Discard my changes/ }).click();
  await stateOf(page, SAVED).waitFor();
  expect(await textOf(page).inputValue()).toBe('Hello from the second tab');
});

test('without the API, the text stays in the form until it is saved', async () => {
  const page = await openDraft(/ERR_FAILED/);
  await page.route('**/graphql', route => route.abort());
  await textOf(page).fill('Hello, is anybody there?');
  await stateOf(page, /^Not saved: Can’t reach the service/).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).last().click();
  await stateOf(page, SAVED).waitFor();
  await page.reload();
  expect(await textOf(page).inputValue()).toBe('Hello, is anybody there?');
});

test('a refused field is marked, and the draft is saved once it changes', async () => {
  const page = await openDraft(/400/);
  await page.getByLabel('Footer').fill('-'.repeat(5_000));
  await stateOf(page, 'Not saved: Check the marked fields.').waitFor();
  await page.getByText('This is too long, or contains characters').waitFor();
  await page.getByLabel('Footer').fill('Your shop');
  await stateOf(page, SAVED).waitFor();
});
