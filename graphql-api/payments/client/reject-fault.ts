import type { ProblemCode } from '../../../schema/values/problem.ts';
import { reject } from '../../platform/rejected.ts';
import type { GatewayFault } from './gateway-fault.ts';

/** The error codes of mutations that call the gateway. */
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

/**
 * For a rejected request, the message includes the gateway's text, because it names the invalid
 * field.
 */
export function rejectFault(fault: GatewayFault): never {
  const { kind, code, message, status, type, requestId, retryAfterSeconds } = fault;
  return reject(CODES[kind], {
    ...(kind === 'REFUSED' && { message: refusalText(code, message) }),
    facts: { gateway: { status, type, code, message, requestId }, retryAfterSeconds },
  });
}

export function refusalText(code: string, message: string): string {
  return `The payment gateway rejected the request: ${message} (${code})`;
}
