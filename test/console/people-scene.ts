// The pages of people, over an API process of their own.

import type { Page } from 'playwright-core';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import type { Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

/** With characters that mean something in an address. */
export const ASHA = 'asha/rao?#50%25 é';

type PersonPage = { readonly role?: 'owner' | 'member'; readonly mayFail?: RegExp };

type PeopleScene = {
  readonly openAt: (tenant: Tenant, path: string, options?: PersonPage) => Promise<Page>;
};

export function usePeople(): PeopleScene {
  const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
  const open = useConsole(useChromium());
  return {
    async openAt({ organizationId }, path, { role = 'owner', mayFail } = {}) {
      const token = await tokenFor(organizationId, { roles: [role] });
      return open({ url: api().url, token, path, ...(mayFail && { mayFail }) });
    },
  };
}

export function addressOf(userId: string): string {
  return `/people/${encodeURIComponent(userId)}`;
}

export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name }).click();
}
