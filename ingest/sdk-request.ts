import type { Account } from './authenticate/directory.ts';
import type { Incoming } from './http/incoming.ts';

/** An authenticated request, as received by every SDK endpoint except /v1/batch. */
export type SdkRequest = {
  readonly incoming: Incoming;
  readonly account: Account;
  readonly receivedAtMs: number;
  /** The value of `{…}` in the path. */
  readonly parameter: string;
  /** From header or body, in lower case; undefined if neither has one. */
  readonly propertyId: string | undefined;
  /** In RowBinary order; zeros if there is no property. */
  readonly propertyIdBytes: Uint8Array;
};
