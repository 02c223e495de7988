// Sends the worker's reports: each is stored first, and removed once the service has accepted
// it or permanently refused it. A repeated report contains the same body, so the service counts it once.

import type { PushDatabase, PushSettings } from './push-database.ts';
import type { ReportedMessage } from './push-message.ts';

export type PushEventType = 'push.delivered' | 'push.shown' | 'push.clicked' | 'push.dismissed';

type Deps = {
  readonly open: () => Promise<PushDatabase>;
  readonly fetch: typeof fetch;
  /** Asks the browser to wake the worker when there is a connection. Not all browsers support this. */
  readonly wakeLater: () => Promise<void>;
};

/** Shorter than the time after which browsers end an event of a worker. */
const ANSWER_MS_MAX = 10_000;
const TOO_MANY_REQUESTS = 429;
const REQUEST_TIMEOUT = 408;

export type ReportQueue = ReturnType<typeof createReportQueue>;

export function createReportQueue({ open, fetch, wakeLater }: Deps) {
  let sending: Promise<void> | undefined;
  const send = async (database: PushDatabase): Promise<void> => {
    const settings = await database.read<PushSettings>('settings');
    if (settings === undefined) return;
    if (settings.person === undefined) return database.clearReports();
    for (;;) {
      const report = await database.nextReport();
      if (report === undefined) return;
      if (!(await isTaken(fetch, settings, report.body))) return wakeLater();
      await database.removeReport(report.id);
    }
  };
  return {
    async add(
      eventType: PushEventType,
      message: ReportedMessage,
      metadata: Readonly<Record<string, string>> = {},
    ): Promise<void> {
      const database = await open();
      const settings = await database.read<PushSettings>('settings');
      if (settings?.person === undefined) return;
      await database.addReport(
        bodyOf(eventType, message, settings.propertyId, settings.person, metadata),
      );
    },
    /** One at a time, in order; a report that is added meanwhile is sent as well. */
    async flush(): Promise<void> {
      await sending;
      sending ??= open()
        .then(send)
        .finally(() => {
          sending = undefined;
        });
      await sending;
    },
  };
}

/** True if it must not be sent again. */
async function isTaken(
  fetch: Deps['fetch'],
  { host, writeKey }: PushSettings,
  body: string,
): Promise<boolean> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), ANSWER_MS_MAX);
  try {
    const { ok, status } = await fetch(`${host}/v1/push/engagement`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-write-key': writeKey },
      body,
      signal: giveUp.signal,
    });
    return ok || (status < 500 && status !== TOO_MANY_REQUESTS && status !== REQUEST_TIMEOUT);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** The person of the message takes precedence: another one may have signed in since. */
function bodyOf(
  eventType: PushEventType,
  { message_id, campaign_id, user_id, contact_id }: ReportedMessage,
  propertyId: string,
  person: NonNullable<PushSettings['person']>,
  metadata: Readonly<Record<string, string>>,
): string {
  const isAddressed = user_id !== undefined || contact_id !== undefined;
  return JSON.stringify({
    event_type: eventType,
    platform: 'web',
    property_id: propertyId,
    message_id,
    campaign_id,
    user_id: isAddressed ? user_id : person.userId,
    contact_id,
    anonymous_id: person.anonymousId,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  });
}
