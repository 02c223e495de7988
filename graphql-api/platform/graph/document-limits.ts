// Limits on the form of a document, checked before it is executed.

import { blockFieldSuggestionsPlugin } from '@escape.tech/graphql-armor-block-field-suggestions';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import {
  type FieldNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { eventStreamOnly } from './event-stream-only.ts';
import { ALIASES_MAX, DEPTH_MAX, DIRECTIVES_MAX, TOKENS_MAX } from './limits.ts';
import { noNul } from './no-nul.ts';

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
