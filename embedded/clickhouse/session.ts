// One session: a connection that is kept between the requests that name it. SET, USE and temporary
// tables persist in it; settings in request parameters end with the request, as on a server.

import { Exception, exception, fromEngine } from './exception.ts';
import type { NativeResult } from './native.ts';
import {
  assignment,
  preparation,
  quoted,
  type RunInScope,
  type Scope,
  SERVER_LIKE,
} from './scope.ts';
import { tokenize } from './tokens.ts';

export type Session = {
  /** One statement at a time. */
  readonly run: RunInScope;
  /** Call only when no statement is running. */
  close(): void;
};

type Query = (sql: string, format: string) => Promise<NativeResult>;

/** The state that the parameters of a request change. */
type Before = readonly [
  database: string,
  settings: readonly (readonly [name: string, value: string, isChanged: number])[],
];

const NOTHING: Scope = { settings: new Map(), parameters: new Map(), database: undefined };

export function createSession(query: Query, close: () => void): Session {
  let isPrepared = false;

  async function prepare(scope: Scope): Promise<void> {
    for (const step of preparation(scope)) await query(step, 'Null');
  }

  async function runInScope(scope: Scope, statement: string, format: string) {
    const before = await stateBefore(query, scope);
    try {
      await prepare(scope);
      return await query(statement, format);
    } finally {
      await restore(query, scope, before);
    }
  }

  return {
    async run(scope, statement, format) {
      try {
        if (!isPrepared) await prepare({ ...NOTHING, settings: SERVER_LIKE });
        isPrepared = true;
        // These change the session itself, not the scope of the request.
        if (changesSession(statement)) return await query(statement, format);
        return await runInScope(withoutReadonly(scope), statement, format);
      } catch (error) {
        throw error instanceof Exception ? error : fromEngine(error);
      }
    },
    close,
  };
}

/** The engine could never leave readonly again; see read-only.ts. */
function withoutReadonly(scope: Scope): Scope {
  const settings = new Map(scope.settings);
  settings.delete('readonly');
  return { ...scope, settings };
}

function changesSession(statement: string): boolean {
  const tokens = [...tokenize(Buffer.from(statement).toString('latin1'))];
  const isSet = tokens[0]?.text === 'SET';
  if (isSet && tokens.some(({ text }) => text === 'READONLY' || text === '`readonly`'))
    throw exception(
      'NOT_IMPLEMENTED',
      'SET readonly is not supported in a session; set the parameter readonly in each request',
    );
  return isSet || tokens[0]?.text === 'USE';
}

async function stateBefore(query: Query, { settings }: Scope): Promise<Before> {
  const names = [...settings.keys(), ''].map(name => quoted(name, "'"));
  // One row, whatever limits the session has set.
  const { bytes } = await query(
    `SELECT toJSONString((currentDatabase(), groupArray((name, value, changed))))
     FROM system.settings WHERE name IN (${names.join(', ')})`,
    'RawBLOB',
  );
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as Before;
}

async function restore(query: Query, { database }: Scope, [before, settings]: Before) {
  const assignments = settings.map(([name, value, isChanged]) =>
    isChanged ? assignment(name, value) : `${quoted(name, '`')} = DEFAULT`,
  );
  if (assignments.length > 0) await query(`SET ${assignments.join(', ')}`, 'Null');
  if (database === undefined) return;
  // The statement may have dropped it.
  await query(`USE ${quoted(before, '`')}`, 'Null').catch(() => query('USE default', 'Null'));
}
