// Runs in the page of a test.

import {
  type Push,
  type PushError,
  type PushOptions,
  startPush,
} from '../../../../sdk/push/main.ts';
import {
  createFetchHost,
  type FetchHost,
  type HostSettings,
} from '../../in-app/harness/fetch-host.ts';

type Settings = HostSettings & Omit<PushOptions, 'onSubscription' | 'onError'>;

const page = {
  host: undefined as FetchHost | undefined,
  push: undefined as Push | undefined,
  errors: [] as PushError[],
  handedOver: [] as (PushSubscriptionJSON | null)[],
  failsHandover: false,
  start(settings: Settings): void {
    page.host = createFetchHost(settings);
    page.push = startPush(page.host, {
      ...settings,
      onError: error => page.errors.push(error),
      onSubscription: subscription => {
        if (page.failsHandover) throw new Error('The sender is away.');
        page.handedOver.push(subscription);
      },
    });
  },
};

Object.assign(globalThis, { test: page });
