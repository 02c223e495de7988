// The interface of the client's core for the parts that are loaded on demand (in-app messages, push).

export type Identity = {
  readonly anonymousId: string;
  readonly userId?: string;
  readonly sessionId: string;
};

export type ClientHost = {
  identity(): Identity;
  /**
   * Sends a GET with the key and the headers of the person, and returns the JSON body. Throws for any response
   * other than 200.
   */
  fetchJson(path: string): Promise<unknown>;
  /**
   * Puts a report into the durable queue, which sends it by the retry rules for events: each time
   * with the same body, and so with the same idempotency key.
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
