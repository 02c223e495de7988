import type { Plugin } from 'graphql-yoga';
import { Rejected, rejection } from '../rejected.ts';

const EVENT_STREAM = /(?:^|[\s,])(?:text\/event-stream|text\/\*|\*\/\*)/i;

/** Rejects a subscription whose client does not accept the events. */
export const eventStreamOnly: Plugin = {
  onSubscribe({ args }) {
    const { request } = args.contextValue as { readonly request: Request };
    if (EVENT_STREAM.test(request.headers.get('accept') ?? '*/*')) return;
    const message =
      'Subscriptions are delivered as server-sent events. Send the header Accept: text/event-stream.';
    throw new Rejected([rejection('BAD_USER_INPUT', { message })]);
  },
};
