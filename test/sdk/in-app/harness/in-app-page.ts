// Runs in the page of a test.

import { type InApp, type InAppError, startInApp } from '../../../../sdk/in-app/main.ts';
import { createFetchHost, type FetchHost, type HostSettings } from './fetch-host.ts';

export type PageSettings = HostSettings & {
  readonly surface?: string;
  /** The app renders campaigns of this type, as a paragraph. */
  readonly rendersType?: string;
};

export type InAppPage = {
  /** The display that the app took, for the test to report on. */
  display?: Parameters<NonNullable<NonNullable<Parameters<typeof startInApp>[1]>['render']>>[1];
  host?: FetchHost;
  inApp?: InApp;
  readonly errors: InAppError[];
  readonly violations: string[];
  start(settings: PageSettings): void;
};

const page: InAppPage = {
  errors: [],
  violations: [],
  start({ surface, rendersType, ...settings }) {
    page.host = createFetchHost(settings);
    page.inApp = startInApp(page.host, {
      ...(surface !== undefined && { surface }),
      onError: error => page.errors.push(error),
      render: (campaign, display) => {
        if (campaign.type !== rendersType) return false;
        page.display = display;
        const own = document.createElement('p');
        own.textContent = `The app says: ${String(campaign.content.title)}`;
        document.body.append(own);
        display.signal.addEventListener('abort', () => own.remove());
        return true;
      },
    });
  },
};

document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  page.violations.push(`${violatedDirective} ${blockedURI}`),
);
Object.assign(globalThis, { test: page });
