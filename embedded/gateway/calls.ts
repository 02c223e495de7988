// What whoever handles a call is given.

import type { Given } from './json.ts';
import type { Account } from './store.ts';
import type { Webhooks } from './webhooks.ts';

export type Tools = {
  readonly webhooks: Webhooks;
  /** Where people open links and mandates. */
  readonly publicUrl: () => string;
};

export type Call = Tools & {
  readonly account: Account;
  /** From the path, the outer one first; empty where it has none. */
  readonly id: string;
  readonly innerId: string;
  readonly given: Given;
  /** The body as it came. */
  readonly text: string;
  readonly nowMs: number;
};
