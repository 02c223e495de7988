import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { templateVersionCreate } from '../../graphql-api/templates/version.create.ts';
import { templateVersionSubmit } from '../../graphql-api/templates/version.submit.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { useDeps } from '../graphql-api/harness/deps.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';
import { type TemplatesScene, tellTemplates } from './templates-scene.ts';

const api = useSharedApi();
const deps = useDeps();
const open = useConsole(useChromium());
let told: TemplatesScene;

beforeAll(async () => {
  told = await tellTemplates(deps());
});

type Role = 'owner' | 'member';

async function openTemplates(path = '/templates', role: Role = 'owner'): Promise<Page> {
  const token = await tokenFor(told.tenant.organizationId, { roles: [role] });
  return open({ url: api().url, token, path });
}

async function openVersion(number: number, channel = 'Email', role: Role = 'owner') {
  const page = await openTemplates('/templates', role);
  await page.getByRole('link', { name: 'Order on its way' }).click();
  await page.getByRole('link', { name: `${channel} ·` }).click();
  await versions(page)
    .getByRole('link', { name: new RegExp(`^v${number}\\b`) })
    .click();
  await page.getByRole('heading', { name: `Version ${number}`, exact: true }).waitFor();
  return page;
}

function versions(page: Page) {
  return page.getByRole('list', { name: 'Versions, newest first' });
}

test('lists templates with their active and pending versions and the people in flight', async () => {
  const page = await openTemplates();
  const row = page.getByRole('row').filter({ hasText: 'Order on its way' });
  await row.getByRole('img', { name: 'Email, English: version 5' }).waitFor();
  await row.getByText('1 in review').waitFor();
  await row.getByText('2 drafts').waitFor();
  await row.getByRole('cell', { name: '6', exact: true }).waitFor();
  await lookAt(page, 'templates');
});

test('a tree of versions shows their origin, and the people pinned to them', async () => {
  const page = await openVersion(5);
  const tree = versions(page);
  await tree
    .getByRole('link', { name: /^v4 Draft .*from v1/ })
    .getByText('Shorter again?')
    .waitFor();
  await tree.getByRole('link', { name: /^v1 .*2 in flight/ }).waitFor();
  await tree.getByRole('link', { name: /^v5 Active/ }).waitFor();
  const mail = page.getByTitle('Email content');
  expect(await mail.getAttribute('sandbox')).toBe('');
  expect(await mail.getAttribute('srcdoc')).toContain('arrives on 21 November');
  await lookAt(page, 'template');
});

test('findings are shown next to their field', async () => {
  const page = await openVersion(1, 'SMS');
  await page.getByText(/^\d messages$/).waitFor();
  await page
    .getByText('Curly quotes or long dashes reduce the segment length by more than half.')
    .waitFor();
  await lookAt(page, 'template-sms');
});

test('two versions are compared, and breaking changes are named', async () => {
  const page = await openVersion(5);
  await page.getByRole('link', { name: 'Changes' }).click();
  await page.getByText('More values required').waitFor();
  await page.locator('ins:visible', { hasText: '{{delivery_day}}' }).waitFor();
  await lookAt(page, 'template-changes');
});

test('people are counted by version and journey', async () => {
  const page = await openVersion(5);
  await page
    .getByRole('main')
    .getByRole('link', { name: /^People/ })
    .click();
  await page.getByRole('heading', { name: '6 people in flight, by version' }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'After dispatch' });
  await row.getByRole('cell', { name: '3', exact: true }).waitFor();
});

test('publishing shows who would be affected, and asks for confirmation before people are moved', async () => {
  const page = await openVersion(6);
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish version 6' });
  await dialog.getByRole('heading', { name: '6 people in flight' }).waitFor();
  await dialog.getByLabel('Move them to this version').check();
  await dialog.getByText('Not required until now: delivery_day, gift').first().waitFor();
  await lookAt(page, 'template-publish');
  await dialog.getByRole('button', { name: 'Submit for approval and move people' }).click();
  const question = page.getByRole('dialog', { name: 'Move 6 people' });
  await question.getByRole('button', { name: 'Move people' }).click();
  await versions(page)
    .getByRole('link', { name: /^v6 In review/ })
    .waitFor();
  await page.getByText('Forced rollout', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Withdraw submission' }).click();
  await versions(page)
    .getByRole('link', { name: /^v6 Draft/ })
    .waitFor();
});

test('a member writes versions, without the actions of owners', async () => {
  const page = await openVersion(2, 'Email', 'member');
  await page.getByRole('button', { name: 'More for version 2' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate as draft' }).waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
});

test('an empty workspace explains how to start, and creates the first draft', async () => {
  const tenant = await createTenant();
  const token = await tokenFor(tenant.organizationId, { roles: ['member'] });
  const page = await open({ url: api().url, token, path: '/templates' });
  await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
  await page.getByRole('button', { name: 'New template' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Welcome');
  await form.getByRole('button', { name: 'Create template' }).click();
  await page.getByRole('heading', { name: 'No versions yet' }).waitFor();
  await page.getByRole('button', { name: 'New draft' }).last().click();
  await form.getByLabel('Text').fill('{{first_name}}, welcome to {{shop');
  await form.getByRole('button', { name: 'Create draft' }).click();
  await page.getByRole('heading', { name: 'Draft 1' }).waitFor();
  await page.getByText('{{ is not a valid placeholder. Use {{name}}.').waitFor();
  await page
    .getByLabel('Text', { exact: true })
    .fill('Hello {{first_name}}, welcome to us. *Hurray*');
  await page.getByText('Hello Asha, welcome to us.').waitFor();
  await page.getByRole('button', { name: 'Add button' }).click();
  await page.getByText('A button must have a label.').waitFor();
  await lookAt(page, 'template-edit');
  await page.getByLabel('Button 1: label').fill('Thank you');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByRole('heading', { name: 'Version 1' }).waitFor();
  await page.getByText('Thank you').first().waitFor();
});

/** Opens the reviews as a platform admin, with an email of this name among them. */
async function openReviews(name: string): Promise<Page> {
  const { act, tenant } = told;
  const { id } = await act(templateCreate, { name });
  const body = '<p>Hello, this is the letter of the month.</p>';
  const email = { id, channel: 'email', category: 'transactional', body } as const;
  const version = await act(templateVersionCreate, email);
  await act(templateVersionSubmit, { id: version.id });
  const token = await tokenFor(tenant.organizationId, { roles: ['owner', 'platform_admin'] });
  const page = await open({ url: api().url, token, path: '/templates' });
  await page.getByRole('link', { name: 'Reviews', exact: true }).click();
  return page;
}

test('a platform admin approves a waiting email, and its tree shows it', async () => {
  const page = await openReviews('Monthly letter');
  const review = page.getByRole('region', { name: 'Monthly letter, version 1' });
  await review.waitFor();
  await lookAt(page, 'template-reviews');
  await review.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('“Monthly letter” was approved.').waitFor();
  await page.getByRole('link', { name: 'Templates' }).first().click();
  await page.getByRole('link', { name: 'Monthly letter' }).click();
  await versions(page)
    .getByRole('link', { name: /^v1 Active/ })
    .waitFor();
});

test('or rejects it, and its authors read why', async () => {
  const page = await openReviews('Weekly letter');
  const review = page.getByRole('region', { name: 'Weekly letter, version 1' });
  await review.getByRole('button', { name: 'Reject' }).click();
  const form = page.getByRole('dialog', { name: 'Reject “Weekly letter”' });
  await form.getByLabel('What to correct').fill('Say how to get no more of these.');
  await lookAt(page, 'template-reject');
  await form.getByRole('button', { name: 'Reject version' }).click();
  await page.getByText('“Weekly letter” was rejected.').waitFor();
  await page.getByRole('link', { name: 'Templates' }).first().click();
  await page.getByRole('link', { name: 'Weekly letter' }).click();
  await versions(page)
    .getByRole('link', { name: /^v1 Rejected/ })
    .click();
  await page.getByText('Say how to get no more of these.').waitFor();
});
