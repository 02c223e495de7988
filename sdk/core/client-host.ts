// What the parts of the client that are loaded on demand (in-app messages, push) use of its core.

export type Identity = {
  readonly anonymousId: string;
  readonly userId?: string;
  readonly sessionId: string;
};

export type ClientHost = {
  identity(): Identity;
  /** GET of a JSON body with the key and the identity's headers. Throws on any answer but 200. */
  fetchJson(path: string): Promise<unknown>;
  /**
   * Puts a report into the durable queue, which sends it with the retry rules of events: the same
   * body, and so the same idempotency key, each time.
   */
  report(path: ReportPath, body: Readonly<Record<string, unknown>>): void;
  /** False while the person has not consented; reports are then dropped. */
  hasConsent(): boolean;
};

export type ReportPath =
  | '/v1/in_app/events'
  | '/api/v1/in_app/responses'
  | '/v1/push/engagement'
  | '/v1/devices/register'
  | '/v1/devices/deactivate'
  | `/v1/in-app/widgets/${string}/ack`;
