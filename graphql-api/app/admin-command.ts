// npm run admin: the operations of platform admins, for operators, from a terminal or a script. Runs the same actions
// as the mutations, as the system role, so it works before there is an identity provider.

import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { v7 as newId } from 'uuid';
import type { ZodObject, z } from 'zod';
import { type AppDeps, type Context, createContext } from '../platform/context.ts';
import { contractRejections } from '../platform/contract-rejections.ts';
import { Rejected } from '../platform/rejected.ts';
import { type Action, runPlatformAction } from '../platform/run-action.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type AdminArguments, readArguments, USAGE, UsageError } from './admin-arguments.ts';
import { ADMIN_COMMANDS, type Said } from './admin-commands.ts';
import { readConfig } from './config.ts';
import { createAppDeps } from './create-app-deps.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Output = { write(text: string): unknown };
type Terminal = { readonly stdout: Output; readonly stderr: Output };

/** What an operator can do after a refusal. */
const HINTS: Readonly<Record<string, string>> = {
  NO_CELL: ' Register a cell with "cell add", or omit --workspace.',
};

const NETWORK_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** No organization: actions name the one that they change. */
const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000';

/** The exit code. */
export async function adminCommand(
  argv: readonly string[],
  env: Environment,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const isJson = argv.includes('--json');
  try {
    const given = readArguments(argv);
    if (given === undefined) {
      stdout.write(USAGE);
      return 0;
    }
    const said = await withContext(env, context => run(context, given));
    stdout.write(isJson ? `${JSON.stringify(said.data)}\n` : `${said.text}\n`);
    return said.exitCode ?? 0;
  } catch (error) {
    const problems = problemsOf(error);
    stderr.write(
      isJson
        ? `${JSON.stringify({ errors: problems })}\n`
        : `${problems.map(({ message }) => `admin: ${message}`).join('\n')}\n`,
    );
    return error instanceof UsageError ? 2 : 1;
  }
}

export type Act = <C extends ZodObject, O>(
  contract: C,
  action: Action<z.output<C>, O>,
  input: z.input<C>,
) => Promise<O>;

async function run(context: Context, { command, options }: AdminArguments): Promise<Said> {
  const act: Act = (contract, action, input) => {
    const parsed = contract.safeParse(input);
    if (!parsed.success) throw new Rejected(contractRejections(parsed.error));
    return runPlatformAction(context, action, parsed.data);
  };
  return ADMIN_COMMANDS[command]({ act, context, options });
}

async function withContext<T>(
  env: Environment,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const deps = await depsOf(env);
  const viewer: Viewer = {
    userId: `npm run admin (${userInfo().username})`,
    organizationId: NO_ORGANIZATION,
    workspaceId: undefined,
    roles: new Set(['platform_admin']),
  };
  const context = createContext(deps, newId(), viewer);
  try {
    return await work(context);
  } finally {
    await context.finish();
    await deps.live.stop();
    await deps.warehouses.close();
    await deps.database.close();
  }
}

/** Only the database is used; the settings of the API that are required but unused are filled in. */
async function depsOf(env: Environment): Promise<AppDeps> {
  const { DATABASE_URL, DATABASE_SYSTEM_URL, DATABASE_APP_URL } = env;
  if (!DATABASE_URL && !DATABASE_SYSTEM_URL)
    throw new UsageError(
      'No database is configured. Set DATABASE_SYSTEM_URL (or DATABASE_URL), or set DATA_DIR to the folder of a service that runs with npm start.',
    );
  const unused = randomBytes(32).toString('base64');
  return createAppDeps(
    readConfig({
      DATABASE_URL,
      DATABASE_SYSTEM_URL,
      DATABASE_APP_URL: DATABASE_APP_URL ?? DATABASE_SYSTEM_URL,
      DATABASE_POOL_MAX: '2',
      CLOCK_FILE: env.CLOCK_FILE,
      LOG_LEVEL: 'error',
      AUTH_JWT_SECRET: unused,
      ENCRYPTION_KEYS: `unused:${unused}`,
    }),
  );
}

function problemsOf(error: unknown): readonly { code: string; message: string }[] {
  if (error instanceof Rejected)
    return error.rejections.map(({ code, field, message }) => ({
      code,
      message: [field && `${field.join('.')}: `, message, HINTS[code]].filter(Boolean).join(''),
    }));
  if (error instanceof UsageError) return [{ code: 'USAGE', message: error.message }];
  const { message, code } = error as Error & { code?: string };
  if (code === '42P01' || code === '42703')
    return [
      {
        code: 'NOT_MIGRATED',
        message: `${message}. First, run npm run migrate from this release.`,
      },
    ];
  if (code !== undefined && NETWORK_CODES.has(code))
    return [
      { code, message: `${message}. Check the address in DATABASE_SYSTEM_URL or DATABASE_URL.` },
    ];
  return [{ code: code ?? 'FAILED', message: message || code || String(error) }];
}
