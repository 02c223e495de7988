import { OUR_CLIENT_SNIPPETS } from './our-client.ts';
import { PLAIN_HTTP_SNIPPETS } from './plain-http.ts';
import { RUDDERSTACK_SNIPPETS } from './rudderstack.ts';
import { SEGMENT_SNIPPETS } from './segment.ts';
import type { Snippet } from './snippet.ts';

/** In the order in which they are offered. */
export const SNIPPETS: readonly Snippet[] = [
  ...OUR_CLIENT_SNIPPETS,
  ...PLAIN_HTTP_SNIPPETS,
  ...SEGMENT_SNIPPETS,
  ...RUDDERSTACK_SNIPPETS,
];
