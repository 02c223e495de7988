import type { GatewayClient } from './client/gateway-client.ts';

export type GatewayConfig = {
  /** Replaces the payment gateway's own addresses, whatever the credentials' environment. */
  readonly baseUrl: string | undefined;
  /** The platform's own merchant account; without it, only workspaces with credentials of their own
   * can make calls. */
  readonly platform:
    | {
        readonly clientId: string;
        readonly clientSecret: string;
        readonly environment: 'SANDBOX' | 'PRODUCTION';
      }
    | undefined;
  readonly attemptTimeoutMs: number;
};

declare module '../platform/config.ts' {
  interface Config {
    readonly gateway: GatewayConfig;
  }
}

declare module '../platform/context.ts' {
  interface AppDeps {
    readonly gateway: GatewayClient;
  }
}
