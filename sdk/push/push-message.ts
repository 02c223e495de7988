// The payload of a push message: JSON, as the sender encrypts it for the browser. A site's worker
// may also receive messages from other senders; they are ignored.

/** A push message that the worker can show. */
export type PushMessage = {
  readonly title: string;
  readonly options: NotificationOptions;
};

/** Stored with the notification, for its reports. */
export type ReportedMessage = {
  readonly message_id: string;
  readonly campaign_id?: string;
  readonly user_id?: string;
  readonly contact_id?: string;
  /** The URL to open, if there is one, and the URL of each button by its action. */
  readonly url?: string;
  readonly urls: Readonly<Record<string, string>>;
};

type Deps = {
  /** URLs may be relative to it. */
  readonly origin: string;
  /** Creates the ID of a message without one, so that its reports belong together. */
  readonly newId: () => string;
};

/** As many as browsers show. */
const ACTIONS_MAX = 2;
/** The key of the reported message in the data of its notification. */
const DATA_KEY = 'engagement';

/** Undefined if it is not JSON with a title. */
export function readPushMessage(text: string, { origin, newId }: Deps): PushMessage | undefined {
  const payload = parse(text);
  const textOf = (name: string) => nonEmpty(payload?.[name]);
  const title = textOf('title');
  if (payload === undefined || title === undefined) return undefined;
  const actions = actionsOf(payload.actions);
  const urls = Object.fromEntries(
    actions.flatMap(({ action, url }) => {
      const address = addressOf(url, origin);
      return address === undefined ? [] : [[action, address]];
    }),
  );
  const message: ReportedMessage = {
    message_id: textOf('message_id') ?? newId(),
    urls,
    ...defined({
      campaign_id: textOf('campaign_id'),
      user_id: textOf('user_id'),
      contact_id: textOf('contact_id'),
      url: addressOf(payload.url, origin),
    }),
  };
  const options = {
    data: { [DATA_KEY]: message },
    ...defined({
      body: textOf('body'),
      icon: pictureOf(payload.icon, origin),
      badge: pictureOf(payload.badge, origin),
      image: pictureOf(payload.image, origin),
      tag: textOf('tag'),
      lang: textOf('lang'),
      dir: payload.dir === 'rtl' || payload.dir === 'ltr' ? payload.dir : undefined,
    }),
    ...(actions.length > 0 && { actions: actions.map(({ action, title }) => ({ action, title })) }),
  };
  return { title, options: options as NotificationOptions };
}

/** Undefined for a notification that other code showed. */
export function reportedMessageOf(data: unknown): ReportedMessage | undefined {
  const holder = data as { readonly [DATA_KEY]?: ReportedMessage } | null | undefined;
  return holder?.[DATA_KEY];
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function actionsOf(value: unknown) {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.slice(0, ACTIONS_MAX).flatMap(one => {
    const { action, title, url } = (one ?? {}) as Fields;
    const named = { action: nonEmpty(action), title: nonEmpty(title) };
    return named.action && named.title ? [{ action: named.action, title: named.title, url }] : [];
  });
}

/** Http and https only: a payload must not open anything else. */
function addressOf(value: unknown, origin: string): string | undefined {
  const text = nonEmpty(value);
  if (text === undefined) return undefined;
  try {
    const { protocol, href } = new URL(text, origin);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

function pictureOf(value: unknown, origin: string): string | undefined {
  const address = addressOf(value, origin);
  const isSafe = address?.startsWith('https:') || address?.startsWith(`${origin}/`);
  return isSafe ? address : undefined;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Removes the undefined members. */
function defined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
