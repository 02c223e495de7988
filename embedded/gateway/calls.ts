// The context and input of a call handler.

import type { ExactObject } from '../../schema/values/exact-json.ts';
import type { Account } from './store.ts';
import type { Webhooks } from './webhooks.ts';

export type Tools = {
  readonly webhooks: Webhooks;
  /** The base URL of the pages for payment links and mandates. */
  readonly publicUrl: () => string;
};

export type Call = Tools & {
  readonly account: Account;
  /** The IDs in the path, the outer one first; empty if there is none. */
  readonly id: string;
  readonly innerId: string;
  readonly given: ExactObject;
  /** The raw body. */
  readonly text: string;
  readonly nowMs: number;
};
