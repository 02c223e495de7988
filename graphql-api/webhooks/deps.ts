/** The addresses that webhooks may be sent to. */
export type WebhookAddresses = {
  /** For development: allows webhooks to this machine, also over plain http. */
  readonly isLoopbackAllowed: boolean;
  /**
   * The service's own ports, which webhooks are never sent to. The process adds its port at start.
   */
  readonly servicePorts: Set<number>;
};

declare module '../platform/config.ts' {
  interface Config {
    readonly webhookAddresses: WebhookAddresses;
  }
}
