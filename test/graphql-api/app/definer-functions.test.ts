// SECURITY DEFINER functions run as the owner of the tables, and can do what row-level security
// forbids their caller. Each such function of the database is attacked here: its caller creates
// temporary views, which run the caller's code, under the name of every table that the function
// uses.

import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ownDatabase } from '../../harness/own-database.ts';
import { createTenant } from '../../harness/tenant.ts';

type Definer = {
  readonly oid: number;
  readonly signature: string;
  readonly source: string;
  readonly argumentTypes: readonly string[];
  readonly settings: readonly string[] | null;
  readonly isTrigger: boolean;
  /** The roles that may execute the function. */
  readonly roles: readonly string[];
  /** The triggers, as defined by Postgres. */
  readonly triggers: readonly { readonly definition: string; readonly table: string }[];
};

const OUTSIDERS = ['service_app', 'service_system', 'public'];
const SPRUNG = 'ran the code of its caller';
/**
 * Sample arguments by type. A function with another type needs a sample here before it can be
 * attacked.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: "'a'",
  'text[]': "ARRAY['a']",
  bigint: '1',
  integer: '1',
  'timestamp with time zone': 'now()',
};

const DEFINERS = `
  SELECT proc.oid::int, proc.oid::regprocedure::text AS signature, prosrc AS source, proconfig AS settings,
         ARRAY(SELECT format_type(type, NULL) FROM unnest(proargtypes::oid[]) WITH ORDINALITY AS t (type, n) ORDER BY n)
           AS "argumentTypes",
         prorettype = 'trigger'::regtype AS "isTrigger",
         ARRAY(SELECT role FROM unnest($1::text[]) role
               WHERE has_function_privilege(role, proc.oid, 'EXECUTE')) AS roles,
         (SELECT coalesce(json_agg(json_build_object(
                   'definition', pg_get_triggerdef(trigger.oid),
                   'table', trigger.tgrelid::regclass::text)), '[]')
          FROM pg_trigger trigger WHERE tgfoid = proc.oid) AS triggers
  FROM pg_proc proc JOIN pg_namespace space ON space.oid = pronamespace
  WHERE prosecdef AND nspname NOT IN ('pg_catalog', 'information_schema')
  ORDER BY signature`;

test('each has a search_path in which its caller’s temporary objects come last', async () => {
  const { owner } = await connectAll(inject('databaseUrls'));
  const definers = await definersOf(owner);
  expect(definers.length).toBeGreaterThan(7);
  for (const { signature, settings, roles } of definers) {
    expect(settings, signature).toEqual(['search_path=pg_catalog, public, pg_temp']);
    expect(roles, signature).not.toContain('public');
  }
});

test('the roles of the programs may create neither temporary tables nor any others', async () => {
  const { owner } = await connectAll(inject('databaseUrls'));
  const { rows } = await owner.query(
    `SELECT role FROM unnest($1::text[]) role
     WHERE has_database_privilege(role, current_database(), 'TEMPORARY')
        OR has_database_privilege(role, current_database(), 'CREATE')
        OR has_schema_privilege(role, 'public', 'CREATE')`,
    [OUTSIDERS],
  );
  expect(rows).toEqual([]);
});

test('the application role ends no deal of another agency', async () => {
  const { app } = await connectAll(inject('databaseUrls'));
  const attempt = app.query("SELECT expire_overdue_deals('2099-01-01', 'x', 'example.com')");
  await expect(attempt).rejects.toThrow('permission denied for function expire_overdue_deals');
});

describe('a role that can create temporary objects nevertheless', () => {
  test('has none of them run by a function of the owner', async () => {
    const clients = await connectAll(await databaseWithTemporaries());
    for (const definer of await definersOf(clients.owner))
      expect(await attack(clients, definer), definer.signature).not.toContain(SPRUNG);
  });

  test('would succeed without the search_path, so each attack is real', async () => {
    const clients = await connectAll(await databaseWithTemporaries());
    for (const definer of await definersOf(clients.owner)) {
      await clients.owner.query(`ALTER FUNCTION ${definer.signature} SET search_path = public`);
      expect(await attack(clients, definer), definer.signature).toContain(
        `service_owner ${SPRUNG}`,
      );
    }
  });
});

type Urls = { readonly owner: string; readonly app: string; readonly system: string };
type Clients = Readonly<Record<keyof Urls, pg.Client>>;

/** A database whose owner granted TEMPORARY again, which the migrations revoke from everybody. */
async function databaseWithTemporaries(): Promise<Urls> {
  const urls = await ownDatabase();
  await createTenant({ databaseUrl: urls.owner });
  const { owner } = await connectAll(urls);
  const name = new URL(urls.owner).pathname.slice(1);
  await owner.query(`GRANT TEMPORARY ON DATABASE ${name} TO service_app, service_system`);
  return urls;
}

async function connectAll({ owner, app, system }: Urls): Promise<Clients> {
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  return { owner: await connect(owner), app: await connect(app), system: await connect(system) };
}

async function definersOf(client: pg.Client): Promise<Definer[]> {
  return (await client.query<Definer>(DEFINERS, [OUTSIDERS])).rows;
}

/**
 * Returns the function's result for a role that may execute it. Triggers are attached to the
 * attacker's table.
 */
async function attack(clients: Clients, definer: Definer): Promise<string> {
  const { owner } = clients;
  if (definer.isTrigger)
    await owner.query(`GRANT EXECUTE ON FUNCTION ${definer.signature} TO service_app`);
  const role = definer.isTrigger || definer.roles.includes('service_app') ? 'app' : 'system';
  if (role === 'system') expect(definer.roles, definer.signature).toContain('service_system');
  const attacker = clients[role];
  const tables = await tablesIn(owner, definer.source);
  expect(tables, `${definer.signature} names no table to put another in the place of`).not.toEqual(
    [],
  );
  await attacker.query('BEGIN');
  try {
    await attacker.query("SELECT set_config('app.organization_id', gen_random_uuid()::text, true)");
    await attacker.query(`
      CREATE FUNCTION pg_temp.spring() RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION '% ${SPRUNG}', current_user; END $$;
      CREATE FUNCTION pg_temp.spring_trigger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_temp.spring(); RETURN NULL; END $$`);
    const calls = definer.isTrigger
      ? await attachTriggers(owner, attacker, definer)
      : [`SELECT ${nameOf(definer)}(${definer.argumentTypes.map(sampleOf).join(', ')})`];
    for (const table of tables) await shadow(owner, attacker, table);
    const outcomes: string[] = [];
    for (const call of calls) outcomes.push(await outcomeOf(attacker, call));
    return outcomes.join('; ');
  } finally {
    await attacker.query('ROLLBACK');
  }
}

/** Returns statements that fire each trigger. */
async function attachTriggers(
  owner: pg.Client,
  attacker: pg.Client,
  { triggers, signature }: Definer,
): Promise<string[]> {
  expect(triggers, `${signature} is the trigger of no table`).not.toEqual([]);
  const calls: string[] = [];
  for (const [index, { definition, table }] of triggers.entries()) {
    const bait = `pg_temp.bait_${index}`;
    const columns = await columnsOf(owner, table);
    await attacker.query(
      `CREATE TEMP TABLE bait_${index} AS SELECT ${columns.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ')}`,
    );
    const attached = definition.replace(` ON ${table} `, ` ON ${bait} `);
    const withSchema = definition.replace(` ON public.${table} `, ` ON ${bait} `);
    await attacker.query(attached === definition ? withSchema : attached);
    const known = columns.filter(({ type }) => type in SAMPLES);
    const names = known.map(({ name }) => name).join(', ');
    const values = known.map(({ type }) => SAMPLES[type]).join(', ');
    calls.push(`INSERT INTO ${bait} (${names}) VALUES (${values}); SET CONSTRAINTS ALL IMMEDIATE`);
  }
  return calls;
}

/**
 * A view with the columns of the table that raises an error on every read and write. OFFSET
 * prevents the planner from optimizing the view away.
 */
async function shadow(owner: pg.Client, attacker: pg.Client, table: string): Promise<void> {
  const columns = await columnsOf(owner, table);
  const nothing = columns.map(({ name, type }) => `NULL::${type} AS ${name}`).join(', ');
  await attacker.query(`
    CREATE TEMP VIEW ${table} AS SELECT ${nothing} WHERE pg_temp.spring() OFFSET 0;
    CREATE TRIGGER spring INSTEAD OF INSERT OR UPDATE OR DELETE ON pg_temp.${table}
      FOR EACH ROW EXECUTE FUNCTION pg_temp.spring_trigger();
    GRANT ALL ON pg_temp.${table} TO PUBLIC`);
}

async function outcomeOf(client: pg.Client, statement: string): Promise<string> {
  try {
    await client.query(`SAVEPOINT before; ${statement}`);
    return 'done';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.query('ROLLBACK TO before');
  }
}

async function tablesIn(client: pg.Client, source: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace",
  );
  return rows.map(({ name }) => name).filter(name => new RegExp(`\\b${name}\\b`).test(source));
}

async function columnsOf(
  client: pg.Client,
  table: string,
): Promise<{ name: string; type: string }[]> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`public.${table}`],
  );
  return rows;
}

function sampleOf(type: string): string {
  const sample = SAMPLES[type];
  if (sample === undefined) throw new Error(`SAMPLES has no value of the type ${type}.`);
  return `${sample}::${type}`;
}

function nameOf({ signature }: Definer): string {
  return signature.slice(0, signature.indexOf('('));
}
