// Collects the parameters of a statement while it is composed, runs it, and shows it to the client.

import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { ask } from '../platform/warehouse/ask.ts';
import type { RangeMs } from '../platform/warehouse/report-range.ts';
import { inlineParameters } from './inline-parameters.ts';

type ParameterType = 'String' | 'Array(String)' | 'Float64' | 'Int64' | 'UInt32' | 'Array(UInt32)';
type ParameterValue = string | number | readonly string[] | readonly number[];

export type Statement = {
  /** Returns the placeholder of a value. Values from clients are never part of a statement. */
  bind(type: ParameterType, value: ParameterValue): string;
  ask<Row>(context: Context, query: string): Promise<{ rows: Row[]; sql: string }>;
};

/** ClickHouse parses at most 262,144 bytes. Text of clients is not part of a statement, which is therefore ASCII. */
const STATEMENT_CHARACTERS_MAX = 250_000;

/** `within` compares with `range`. */
export function createStatement(range: RangeMs): Statement {
  const parameters: Record<string, unknown> = { ...range };
  let count = 0;
  return {
    bind(type, value) {
      const name = `p${++count}`;
      parameters[name] = value;
      return `{${name}:${type}}`;
    },
    async ask<Row>(context: Context, query: string) {
      if (query.length > STATEMENT_CHARACTERS_MAX)
        return reject('REPORT_TOO_LARGE', {
          message: 'The report has too many conditions. Use fewer filters or shorter paths.',
        });
      const workspaceId = workspaceOf(context.viewer);
      const sql = inlineParameters(query, { ...parameters, workspaceId });
      return { rows: await ask<Row>(context, query, parameters), sql };
    },
  };
}

/** The ID of the person of an event; empty if the event has none. */
export const PERSON = `if(user_id != '', user_id, anonymous_id)`;
