// The fields of an event as it was sent. The body of a rejected event can be anything, also invalid JSON.

export type BodyFields = {
  readonly type: string | null;
  /** The name of the event, page or screen; for feedback, the campaign. */
  readonly name: string | null;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly timestamp: string | null;
};

export function readBody(body: string | null): BodyFields {
  const fields = objectOf(body ?? '');
  const text = (...names: string[]) => names.map(name => fields[name]).find(isText) ?? null;
  return {
    type: text('type', 'event_type', 'response_type'),
    name: text('event', 'name', 'campaign_id'),
    userId: text('userId', 'user_id', 'contact_id'),
    anonymousId: text('anonymousId', 'anonymous_id'),
    timestamp: text('timestamp'),
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
