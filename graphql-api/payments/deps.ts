import type { GatewayClient } from './client/gateway-client.ts';

type GatewayConfig = {
  /** Overrides the gateway's URL of every environment. */
  readonly baseUrl: string | undefined;
  /**
   * The platform's own merchant account. Without it, only workspaces with their own credentials can
   * make calls.
   */
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
