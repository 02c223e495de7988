/** Which addresses webhooks may be sent to, beyond public ones. */
export type WebhookAddresses = {
  /** For development: webhooks may go to this machine, also over plain http. */
  readonly isLoopbackAllowed: boolean;
  /** Ports that they never go to. The port that the process listens on is added when it is known. */
  readonly servicePorts: Set<number>;
};

declare module '../platform/config.ts' {
  interface Config {
    readonly webhookAddresses: WebhookAddresses;
  }
}
