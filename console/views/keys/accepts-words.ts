import type { SdkKey } from './keys-query.ts';

export type Accepts = SdkKey['accepts'];

/** What a key accepts, in the words of the list, and what that means for who sends with it. */
export const ACCEPTS: Record<Accepts, { readonly label: string; readonly meaning: string }> = {
  CONTRACT: {
    label: 'Our SDKs and plain HTTP',
    meaning:
      'Events from other vendors’ clients are rejected, and so are events without a required field, such as the session ID.',
  },
  COMPATIBLE: {
    label: 'Also other vendors’ clients',
    meaning:
      'The clients of Segment, RudderStack, Jitsu and PostHog can send too. Fields they omit, such as the session ID, are filled in.',
  },
};
