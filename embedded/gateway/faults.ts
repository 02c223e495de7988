// What a gateway, or what stands before it, does wrong now and then: on demand, for so many calls.

export type FaultKind =
  /** Does it, and the answer is lost with the connection. */
  | 'DROP_AFTER'
  /** Does it, and never answers. */
  | 'HANG_AFTER'
  /** Never answers, and does nothing. */
  | 'HANG'
  /** Does it, and answers 500. */
  | 'ERROR_AFTER'
  | 'ERROR'
  | 'RATE_LIMIT'
  /** Does nothing, and says no. */
  | 'REFUSE'
  /** Says that it is at it already. */
  | 'BUSY_WITH_IT'
  /** A proxy's page. */
  | 'HTML'
  | 'MALFORMED';

export type Fault = {
  readonly clientId: string | undefined;
  /** Of method and path, such as `POST /orders`; the beginning of it is enough. */
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
