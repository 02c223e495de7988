// What all views share, over an API process of its own.

import type { Page } from 'playwright-core';
import { useApi } from '../graphql-api/harness/api-process.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import type { Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

type Role = 'owner' | 'member' | 'platform_admin';

type NavigationScene = {
  readonly url: () => string;
  readonly open: ReturnType<typeof useConsole>;
  /** By default as an owner. */
  readonly openAs: (tenant: Tenant, path: string, ...roles: Role[]) => Promise<Page>;
};

export function useNavigation(): NavigationScene {
  const api = useApi({ env: { RATE_POINTS_PER_SECOND: '1000' } });
  const open = useConsole(useChromium());
  return {
    url: () => api().url,
    open,
    async openAs({ organizationId }, path, ...roles) {
      const token = await tokenFor(organizationId, {
        roles: roles.length > 0 ? roles : ['owner'],
      });
      return open({ url: api().url, token, path });
    },
  };
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
export const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
/** The tag and the text of the focused element. */
export const focused = (page: Page) =>
  page.evaluate('document.activeElement.tagName + ": " + document.activeElement.textContent');
