import type { SdkKey } from './keys-query.ts';

export type Accepts = SdkKey['accepts'];

/** What a key accepts, in the words of the list, and what that means for who sends with it. */
export const ACCEPTS: Record<Accepts, { readonly label: string; readonly meaning: string }> = {
  CONTRACT: {
    label: 'Own format only',
    meaning: 'Every event must be complete. Clients of other vendors are not accepted.',
  },
  COMPATIBLE: {
    label: 'Also other vendors’ clients',
    meaning:
      'The clients of Segment, RudderStack, Jitsu and PostHog can send too. Fields they omit, such as the session ID, are filled in.',
  },
};
