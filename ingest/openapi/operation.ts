import type { z } from 'zod';
import type { ProblemCode } from '../../schema/values/problem.ts';

export type Parameter = {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly example?: string;
};

export const TAGS = [
  { name: 'Events', description: 'Events from an application.' },
  { name: 'In-app', description: 'In-app campaigns and widgets, and feedback on them.' },
  { name: 'Push', description: 'Push notifications and the devices that receive them.' },
  {
    name: 'Compatible',
    description:
      'Requests from the clients of Segment, RudderStack, Jitsu and PostHog, for SDK keys that accept them. Errors also have `message`, with the same text as `detail`.',
  },
  { name: 'Client', description: 'The JavaScript client that pages load with a script tag.' },
  { name: 'Payments', description: 'Webhooks from the payment gateway.' },
] as const;

export type Operation = {
  readonly tag: (typeof TAGS)[number]['name'];
  readonly operationId: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /**
   * Whether the operation has no key header, because the key is in the body or the request is
   * signed.
   */
  readonly isWithoutKeyHeader?: boolean;
  /** Whether the key can also be the user name of Basic auth. */
  readonly takesBasicAuth?: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: z.ZodType;
  readonly answer: {
    readonly description: string;
    /** JSON if there is none. */
    readonly mediaType?: string;
    readonly schema: z.ZodType;
    readonly example: unknown;
  };
  readonly problems: readonly ProblemCode[];
};
