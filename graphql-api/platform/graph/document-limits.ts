// Limits on the form of a document, checked before it is executed.

import { blockFieldSuggestionsPlugin } from '@escape.tech/graphql-armor-block-field-suggestions';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  print,
  type ValidationContext,
  visit,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Rejected, rejection } from '../rejected.ts';
import { ALIASES_MAX, DEPTH_MAX, DIRECTIVES_MAX, TOKENS_MAX } from './limits.ts';

/** Each of them makes a browser send a preflight request before a cross-site request. */
const PREFLIGHTED_HEADERS = ['authorization', 'x-graphql-yoga-csrf'];

export function documentLimits({ isProduction }: { readonly isProduction: boolean }): Plugin[] {
  const limits: Plugin[] = [
    useCSRFPrevention({ requestHeaders: PREFLIGHTED_HEADERS }),
    maxTokensPlugin({ n: TOKENS_MAX }),
    // Introspection is not exempt, because an alias could imitate an exempt name.
    maxDepthPlugin({ n: DEPTH_MAX, ignoreIntrospection: false, flattenFragments: true }),
    maxAliasesPlugin({ n: ALIASES_MAX, allowList: [] }),
    maxDirectivesPlugin({ n: DIRECTIVES_MAX }),
    blockFieldSuggestionsPlugin(),
    noNul,
    eventStreamOnly,
  ];
  return [...limits, isProduction ? noIntrospection : introspectOnce];
}

const noIntrospection: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule);
  },
};

/** In development introspection is free and needs no token, and each use traverses the whole schema. */
const introspectOnce: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule((context: ValidationContext) => {
      let count = 0;
      return {
        Field(field: FieldNode) {
          if (field.name.value !== '__schema' && field.name.value !== '__type') return;
          count += 1;
          if (count === 2)
            context.reportError(
              new GraphQLError('A document can introspect the schema only once.', { nodes: field }),
            );
        },
      };
    });
  },
};

const EVENT_STREAM = /(?:^|[\s,])(?:text\/event-stream|text\/\*|\*\/\*)/i;

/** Rejects a subscription whose client does not accept the events. */
const eventStreamOnly: Plugin = {
  onSubscribe({ args }) {
    const { request } = args.contextValue as { readonly request: Request };
    if (EVENT_STREAM.test(request.headers.get('accept') ?? '*/*')) return;
    const message =
      'Subscriptions are delivered as server-sent events. Send the header Accept: text/event-stream.';
    throw new Rejected([rejection('BAD_USER_INPUT', { message })]);
  },
};

/** A NUL character, unescaped or as a GraphQL escape sequence. */
const NUL_IN_DOCUMENT = /\0|\\u(?:0000|\{0+\})/;

/**
 * Rejects queries and subscriptions with a NUL character, for which Postgres would return an error.
 * Mutations are validated by their contracts, which name the field.
 */
const noNul: Plugin = {
  onExecute: ({ args }) => refuseNul(args),
  onSubscribe: ({ args }) => refuseNul(args),
};

type Executed = { readonly document: unknown; readonly variableValues?: unknown };

function refuseNul({ document, variableValues }: Executed): void {
  const { definitions, loc } = document as DocumentNode;
  const isMutation = (one: DefinitionNode) =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION;
  if (definitions.some(isMutation)) return;
  const source = loc?.source.body ?? '';
  const isInDocument = NUL_IN_DOCUMENT.test(source);
  if (!isInDocument && !hasNul(variableValues)) return;
  const name = isInDocument ? argumentWithNul(document as DocumentNode) : undefined;
  throw new Rejected([
    rejection('BAD_USER_INPUT', {
      message: 'Text must not contain a NUL character.',
      ...(name === undefined ? {} : { field: [name] }),
    }),
  ]);
}

/** The name of the first argument that contains a NUL character. */
function argumentWithNul(document: DocumentNode): string | undefined {
  let name: string | undefined;
  visit(document, {
    Argument(argument) {
      if (name === undefined && NUL_IN_DOCUMENT.test(print(argument))) name = argument.name.value;
    },
  });
  return name;
}

/** Iterative, because JSON can be nested deeper than the stack allows. */
function hasNul(value: unknown): boolean {
  const values = [value];
  for (const one of values) {
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one) as unknown[]) values.push(inner);
  }
  return false;
}
