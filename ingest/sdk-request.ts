import type { Account } from './authenticate/directory.ts';
import type { Incoming } from './http/incoming.ts';

/** A request of a known account, as every SDK endpoint but /v1/batch receives it. */
export type SdkRequest = {
  readonly incoming: Incoming;
  readonly account: Account;
  readonly receivedAtMs: number;
  /** What stands for `{…}` in the path. */
  readonly parameter: string;
  /** By header or body, in lower case; undefined when neither names one. */
  readonly propertyId: string | undefined;
  /** In RowBinary order; zeros when there is none. */
  readonly propertyIdBytes: Uint8Array;
};
