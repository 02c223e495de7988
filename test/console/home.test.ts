import { expect, test } from 'vitest';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { createKycSubmission } from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { eventText } from '../harness/batch.ts';
import { expectAccepted, postEvents, untilKnown } from '../harness/batch-client.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { createTenant, sql } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const ingest = useSharedIngest();
const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
const open = useConsole(useChromium());

test('a new workspace has a checklist, which turns green with the first event', async () => {
  const tenant = await createTenant({ minuteCap: 6_000 });
  const token = await tokenFor(tenant.organizationId);
  const page = await open({ url: api().url, token, path: '/' });
  const steps = page.getByRole('region', { name: 'Get started' });
  await steps.getByText('Waiting for the first event').waitFor();
  expect(await steps.getByRole('textbox', { name: 'SDK key' }).inputValue()).toBe(tenant.writeKey);
  await steps.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(tenant.writeKey);
  await lookAt(page, 'home-new');
  // Only now, because any request counts as a use of the key.
  await untilKnown(ingest(), tenant.writeKey);
  expectAccepted(await postEvents(ingest(), tenant.writeKey, [eventText()]), 1);
  await steps.getByText(/Event received/).waitFor();
  await steps.getByRole('button', { name: 'Hide' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Events by day' }).waitFor();
  expect(await steps.count()).toBe(0);
});

test('what needs attention leads to where it is mended', async () => {
  const tenant = await createTenant();
  await createKycSubmission((await createTenant()).organizationId);
  await sql(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, description, failing_since, created_by)
     VALUES (gen_random_uuid(), $1, 'https://shop.example/hook', 'Backend', now(), 'user-of-a-test')`,
    [tenant.workspaceId],
  );
  const token = await tokenFor(tenant.organizationId, { roles: ['owner', 'platform_admin'] });
  const page = await open({ url: api().url, token, path: '/' });
  const concerns = page.getByRole('region', { name: 'Needs attention' });
  await concerns.getByRole('link', { name: /“Backend” is failing/ }).waitFor();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: /^Webhooks\s*1 endpoint is failing$/ }).waitFor();
  await views.getByRole('link', { name: /^Partner\s*\d+ reviews? (is|are) waiting$/ }).waitFor();
  await lookAt(page, 'home-attention');
  await concerns.getByRole('link', { name: /^Identities \(KYC\) to review/ }).click();
  await page.waitForURL(/\/partner\/reviews\/identities$/);
});
