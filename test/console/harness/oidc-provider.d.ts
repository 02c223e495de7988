/** The part of the library that the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  type Context = { readonly oidc: { readonly params?: Readonly<Record<string, unknown>> } };

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    on(event: 'grant.success', listener: (context: Context) => void): this;
  }
}
