// Queries over sets of rows, in the EntityManager's transaction: typed by the tables' declared
// columns, or as a tagged statement where the builder cannot express it. Both return camelCase
// columns, Date for timestamptz, bigint for bigint and text for date.

import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { CamelCasePlugin, type Kysely, type RawBuilder, type Selectable } from 'kysely';

export { type RawBuilder, sql } from 'kysely';

/** The tables by their names in Postgres, with columns in camelCase. Each slice adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the slices augment it
export interface Tables {}

/** The tables of entities, from their schemas. */
export type TablesOf<Schemas extends readonly { readonly name: string }[]> = InferKyselyDB<
  Schemas[number],
  { columnNamingStrategy: 'property' }
>;

/** A row as a query returns it. */
export type RowOf<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** Keys inside JSON values are not converted. */
const CAMEL_CASE = new CamelCasePlugin({ maintainNestedObjectKeys: true });

export function kysely(em: EntityManager): Kysely<Tables> {
  const transaction = em.getTransactionContext<Kysely<Tables>>();
  if (transaction === undefined) throw new Error('a statement was run outside of a transaction');
  return transaction.withPlugin(CAMEL_CASE);
}

/** The rows of a statement that the query builder cannot express. */
export async function rowsOf<Row>(em: EntityManager, statement: RawBuilder<Row>): Promise<Row[]> {
  const { rows } = await statement.execute(kysely(em));
  return rows;
}
