// The queues in which platform admins review identities, payouts and deals.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { furnishWallet } from '../graphql-api/harness/furnish-wallet.ts';
import { mutate } from '../graphql-api/harness/mutate.ts';
import { createAgency, createDeal, createKycSubmission } from '../graphql-api/harness/partner.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { useClockedApi } from '../graphql-api/partner/clocked-api.ts';
import { createTenant, sql, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';
import { lookAt } from './harness/look-at.ts';

const api = useSharedApi();
/** With a database of its own, so that a queue can be empty. */
const ownApi = useClockedApi();
const open = useConsole(useChromium());

type Organization = Pick<Tenant, 'organizationId'>;

async function openReviews(
  { organizationId }: Organization,
  queue = '',
  url = api().url,
): Promise<Page> {
  const token = await tokenFor(organizationId, { roles: ['platform_admin'] });
  return open({ url, token, path: `/partner/reviews${queue}` });
}

test('an admin rejects with a reason, approves, and sends payouts to the bank', async () => {
  const tenant = await createTenant();
  const identity = await createKycSubmission(tenant.organizationId);
  await sql(
    `UPDATE kyc_submissions
     SET status = 'KYC_APPROVED', reviewed_by = 'test', reviewed_at = now() WHERE id = $1`,
    [identity],
  );
  await furnishWallet(tenant);
  const applicant = await createTenant();
  await createKycSubmission(applicant.organizationId);
  const page = await openReviews(tenant);
  const row = page.getByRole('row').filter({ hasText: applicant.organizationId });
  const queues = page.getByRole('navigation', { name: 'Reviews' });
  await queues.getByRole('link', { name: /^Identities \(KYC\)\s+\d+, oldest/ }).waitFor();
  await row.getByText('not submitted by others').waitFor();
  await row.getByRole('checkbox', { name: 'Select Asha Rao' }).focus();
  await page.keyboard.press('a');
  const approval = page.getByRole('dialog', { name: 'Approve Asha Rao' });
  await approval.getByText('Asha Rao becomes an affiliate').waitFor();
  await lookAt(page, 'partner-review');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Identity approved. Asha Rao can now request payouts.').waitFor();
  await row.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Payouts' }).last().click();
  await page.getByRole('heading', { name: 'Payouts: requested' }).waitFor();
  const payout = page.getByRole('row').filter({ hasText: tenant.organizationId });
  await payout.getByText(/^Requested .*, .* ago$/).waitFor();
  const released = Promise.withResolvers<void>();
  await page.route('**/graphql', async route => {
    if (route.request().postData()?.includes('PartnerReviewBankAccount')) await released.promise;
    await route.continue();
  });
  await payout.getByRole('button', { name: /^Approve and send to bank: / }).click();
  const question = page.getByRole('dialog');
  const send = question.getByRole('button', { name: 'Approve and send to bank' });
  await question.getByText(/to an account that is being read\. /).waitFor();
  expect(await send.isDisabled()).toBe(true);
  released.resolve();
  await question.getByText(/to account \*{5}6789 at HDFC0001234, Asha Rao\. Requested: /).waitFor();
  await question.getByText(/^This can’t be undone\. /).waitFor();
  await lookAt(page, 'partner-review-payout');
  await send.click();
  await page.getByText(/ was approved and sent to the bank\.$/).waitFor();
  await payout.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /payouts? (is|are) processing$/ }).click();
  await page.getByRole('heading', { name: 'Payouts: processing' }).waitFor();
  await page
    .getByRole('group', { name: 'Payouts: processing' })
    .and(page.locator(':focus'))
    .waitFor();
  await payout.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Mark as paid', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Bank reference').fill('UTR-OF-A-TEST');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click();
  await payout.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('UTR-OF-A-TEST').first().waitFor();
});

test('what another admin has decided leaves the queue on return to the window, or once it is refused', async () => {
  const tenant = await createTenant();
  const applicants = [await createTenant(), await createTenant()];
  for (const { organizationId } of applicants) await createKycSubmission(organizationId);
  const page = await openReviews(tenant);
  await page.getByRole('link', { name: /^Reviews \d+ waiting/ }).waitFor();
  await page.getByText(/and no documents/).waitFor();
  const [first, second] = applicants.map(({ organizationId }) => ({
    row: page.getByRole('row').filter({ hasText: organizationId }),
    decide: async () => {
      const [submission] = await sql('SELECT id FROM kyc_submissions WHERE organization_id = $1', [
        organizationId,
      ]);
      const ids = [encodeNodeId('KycSubmission', submission!.id as string)];
      const admin = { api: api(), tenant, role: 'platform_admin' } as const;
      await mutate(admin, 'kycReject', { input: { ids, reason: 'Another name.' } }, '__typename');
    },
  }));
  await second!.row.waitFor();
  await first!.row.waitFor();
  await first!.decide();
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await first!.row.waitFor({ state: 'detached' });
  await second!.decide();
  await second!.row.getByRole('button', { name: /^Approve: / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Couldn’t do that').waitFor();
  await second!.row.waitFor({ state: 'detached' });
});

test('the keys of a review queue act on its focused row, and go on to the next one', async () => {
  const admin = await createTenant();
  const applicants = [await createTenant(), await createTenant()];
  for (const { organizationId } of applicants) await createKycSubmission(organizationId);
  const page = await openReviews(admin);
  const rows = page.getByRole('table', { name: 'Submissions' }).locator('tbody tr');
  const boxOf = (row: typeof rows) => row.getByRole('checkbox');
  const isFocused = (row: typeof rows) => boxOf(row).and(page.locator(':focus')).waitFor();
  await rows.nth(1).waitFor();
  // Nothing is focused yet, so the key only goes to the first row.
  await page.keyboard.press('a');
  await isFocused(rows.first());
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('a');
  const approval = page.getByRole('dialog', { name: /^Approve / });
  await approval.waitFor();
  await page.keyboard.press('Escape');
  await approval.waitFor({ state: 'detached' });
  expect(await boxOf(rows.first()).isChecked()).toBe(false);
  await isFocused(rows.first());
  const own = page.getByRole('row').filter({ hasText: applicants[0]!.organizationId });
  await boxOf(own).focus();
  await own.evaluate(row =>
    (row.nextElementSibling ?? row.previousElementSibling)!.setAttribute('data-next', ''),
  );
  await page.keyboard.press('a');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await own.waitFor({ state: 'detached' });
  await isFocused(page.locator('[data-next]'));
});

test('an admin decides a deal with the keys of the review queues', async () => {
  const agency = await createTenant();
  await createAgency(agency.organizationId);
  await createDeal(agency.organizationId, { status: 'PROOF_SUBMITTED' });
  const page = await openReviews(agency, '/deals');
  const row = page.getByRole('row').filter({ hasText: agency.organizationId });
  await row.getByText('Mark as lost').waitFor();
  await lookAt(page, 'partner-review-deals');
  await row.getByRole('button', { name: 'Mark as won: Acme' }).focus();
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: 'Mark Acme as won' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The dialog gives the focus back a moment later.
  await row.locator(':focus').waitFor();
  await page.keyboard.press('r');
  const form = page.getByRole('dialog', { name: 'Mark Acme as lost' });
  await form.getByLabel('Reason').fill('They chose another product.');
  await form.getByRole('button', { name: 'Mark as lost' }).click();
  await page.getByText('Acme was marked as lost.').waitFor();
  await row.waitFor({ state: 'detached' });
  // On the next deal, or on the message that none are left.
  await page.getByRole('region', { name: 'Deals: proof submitted' }).locator(':focus').waitFor();
});

test('an empty queue links to the next one in which something waits', async () => {
  const { organization, ownerUrl, url } = ownApi();
  const partner = { organizationId: await organization() };
  await furnishWallet(partner, ownerUrl);
  const page = await openReviews(partner, '/deals', url);
  await page.getByText('No deals to review').waitFor();
  await page.getByRole('link', { name: '1 payout waits for review' }).waitFor();
  await createKycSubmission(await organization(), ownApi().sql);
  await page.reload();
  const submissions = page.getByRole('link', { name: '1 identity waits for review' });
  await submissions.waitFor();
  await lookAt(page, 'partner-review-empty');
  await submissions.click();
  await page.getByRole('button', { name: 'Approve: Asha Rao' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('No submissions to review').waitFor();
  await page.getByRole('link', { name: '1 payout waits for review' }).click();
  await page.getByRole('button', { name: /^Reject: / }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Another account.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('No payouts to approve').waitFor();
  await page.getByRole('link', { name: /for review$/ }).waitFor({ state: 'detached' });
});
