// Faults of a gateway or of the network in front of it, on demand and for a number of calls.

export type FaultKind =
  /** Performs the call and drops the connection before the response. */
  | 'DROP_AFTER'
  /** Performs the call and never responds. */
  | 'HANG_AFTER'
  /** Never responds and does nothing. */
  | 'HANG'
  /** Performs the call and responds with 500. */
  | 'ERROR_AFTER'
  | 'ERROR'
  | 'RATE_LIMIT'
  /** Rejects the call and does nothing. */
  | 'REFUSE'
  /** Responds that the same request is already in progress. */
  | 'BUSY_WITH_IT'
  /** Responds with a proxy's HTML page. */
  | 'HTML'
  | 'MALFORMED';

export type Fault = {
  readonly clientId: string | undefined;
  /** A prefix of the method and path, for example `POST /orders`. */
  readonly on: string;
  readonly kind: FaultKind;
  readonly retryAfterSeconds: number;
  left: number;
};

export type Faults = {
  add(fault: Fault): void;
  take(clientId: string, call: string): Fault | undefined;
};

export const FAULT_KINDS: ReadonlySet<string> = new Set<FaultKind>([
  'DROP_AFTER',
  'HANG_AFTER',
  'HANG',
  'ERROR_AFTER',
  'ERROR',
  'RATE_LIMIT',
  'REFUSE',
  'BUSY_WITH_IT',
  'HTML',
  'MALFORMED',
]);

export function createFaults(): Faults {
  const faults: Fault[] = [];
  return {
    add: fault => void faults.push(fault),
    take(clientId, call) {
      const fault = faults.find(
        ({ clientId: only, on, left }) =>
          left > 0 && (only === undefined || only === clientId) && call.startsWith(on),
      );
      if (fault !== undefined) fault.left--;
      return fault;
    },
  };
}
