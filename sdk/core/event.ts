// The events of /v1/batch, as the client builds them.

export type Properties = Readonly<Record<string, unknown>>;

/** The values of a call. The client adds the other fields of the event. */
export type Call =
  | { readonly type: 'track'; readonly event: string; readonly properties?: Properties | undefined }
  | {
      readonly type: 'page' | 'screen';
      readonly name?: string | undefined;
      readonly properties?: Properties | undefined;
    }
  | { readonly type: 'identify'; readonly traits?: Properties | undefined }
  | {
      readonly type: 'group';
      readonly groupId: string;
      readonly traits?: Properties | undefined;
    }
  | { readonly type: 'alias'; readonly previousId: string };

export type Who = {
  readonly anonymousId: string;
  readonly userId?: string | undefined;
  readonly sessionId: string;
};

export type EventFields = Who & {
  readonly messageId: string;
  readonly timestamp: string;
  readonly context: Properties;
};

/** Undefined members are not part of the JSON. */
export function eventOf(
  call: Call,
  { anonymousId, userId, sessionId }: Who,
  { messageId, timestamp, context }: Omit<EventFields, keyof Who>,
): Readonly<Record<string, unknown>> {
  return { ...call, messageId, timestamp, anonymousId, userId, sessionId, context };
}
