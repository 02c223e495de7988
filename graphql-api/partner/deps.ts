/** A small page of the demo. */
export const DEFAULT_SIGN_UP_URL = '/sign-up';

declare module '../platform/config.ts' {
  interface Config {
    /** Where a referral's link leads: a path of this service, or another site's address. */
    readonly signUpUrl: string;
  }
}
