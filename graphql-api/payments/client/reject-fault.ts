import type { ProblemCode } from '../../../schema/values/problem.ts';
import { reject } from '../../platform/rejected.ts';
import type { GatewayFault } from './gateway-fault.ts';

/** What a mutation that calls the gateway may be refused with. */
export const FAULT_CODES = [
  'GATEWAY_NOT_CONFIGURED',
  'GATEWAY_REFUSED',
  'GATEWAY_DENIED',
  'GATEWAY_BUSY',
  'GATEWAY_UNAVAILABLE',
] as const satisfies readonly ProblemCode[];

const CODES: Readonly<Record<GatewayFault['kind'], ProblemCode>> = {
  REFUSED: 'GATEWAY_REFUSED',
  DENIED: 'GATEWAY_DENIED',
  BUSY: 'GATEWAY_BUSY',
  AWAY: 'GATEWAY_UNAVAILABLE',
  UNKNOWN: 'GATEWAY_UNAVAILABLE',
};

/** The gateway's words are shown for what it refused, since they say which field is at fault. */
export function rejectFault(fault: GatewayFault): never {
  const { kind, code, message, status, type, requestId, retryAfterSeconds } = fault;
  return reject(CODES[kind], {
    ...(kind === 'REFUSED' && { message: refusalText(code, message) }),
    facts: { gateway: { status, type, code, message, requestId }, retryAfterSeconds },
  });
}

export function refusalText(code: string, message: string): string {
  return `The payment gateway refused it: ${message} (${code})`;
}
