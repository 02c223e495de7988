export type SignInFault = 'denied' | 'mismatch' | 'unreachable' | 'opaque-token' | 'refused';

/** Why a sign-in at the identity provider did not succeed. */
export class SignInError extends Error {
  readonly fault: SignInFault;

  constructor(fault: SignInFault, options?: ErrorOptions) {
    super(`sign-in: ${fault}`, options);
    this.fault = fault;
  }
}

export function signInFaultOf(error: unknown): SignInFault {
  return error instanceof SignInError ? error.fault : 'unreachable';
}
