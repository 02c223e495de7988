import type { Plugin } from 'graphql-yoga';
import { Rejected, rejection } from '../rejected.ts';

const GOES_ON = /(?:^|[\s,])(?:text\/event-stream|text\/\*|\*\/\*)/i;

/** Begun for a client that can't be answered, a subscription would wait for nobody. */
export const eventStreamOnly: Plugin = {
  onSubscribe({ args }) {
    const { request } = args.contextValue as { readonly request: Request };
    if (GOES_ON.test(request.headers.get('accept') ?? '*/*')) return;
    const message = 'A subscription is answered by events: send Accept: text/event-stream.';
    throw new Rejected([rejection('BAD_USER_INPUT', { message })]);
  },
};
