/** A page that the demo serves. */
export const DEFAULT_SIGN_UP_URL = '/sign-up';

declare module '../platform/config.ts' {
  interface Config {
    /** The target of referral links: a path of this service, or a URL of another site. */
    readonly signUpUrl: string;
  }
}
