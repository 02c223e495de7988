// The state of an object and its row have the same values. In the state, a time is in milliseconds
// (its name ends in `Ms`) and an unknown value is undefined; in the row they are a Date and NULL.

import { kysely, type RowOf, sql, type Tables } from '../../platform/database/kysely.ts';
import type { ApplyScope } from './apply-scope.ts';

type ObjectTable =
  | 'gateway_disputes'
  | 'gateway_links'
  | 'gateway_orders'
  | 'gateway_payments'
  | 'gateway_refunds'
  | 'gateway_settlements'
  | 'gateway_subscriptions'
  | 'gateway_vendors';

/** The column of each value of the state. */
type ColumnsOf<State, Table extends keyof Tables> = Readonly<
  Record<keyof State, keyof RowOf<Table> & string>
>;

type Values<Table extends keyof Tables> = Partial<RowOf<Table>>;

export function stateRows<State extends object, Table extends ObjectTable>(
  table: Table,
  columns: ColumnsOf<State, Table>,
) {
  const pairs = Object.entries(columns) as [keyof State & string, string][];
  // The query builder cannot follow a table that is a parameter. `columns` has been checked.
  const name = table as 'gateway_disputes';
  const stateOf = (row: object): State => {
    const values = row as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      pairs.map(([key, column]) => [key, inState(values[column])]),
    ) as State;
  };
  return {
    stateOf,

    /**
     * Locks the row of the object until the end of the transaction. Inserts it if there is none;
     * its state is then undefined. `keys` identify the object in its account; `onFound` sets
     * columns of a row that exists.
     */
    async lock(
      { em, deps, accountId }: ApplyScope,
      keys: Values<Table>,
      values: Values<Table>,
      onFound: object = keys,
    ) {
      const now = new Date(deps.clock.nowMs());
      const row = {
        id: deps.newId(),
        accountId,
        ...keys,
        ...values,
        createdAt: now,
        updatedAt: now,
      };
      const locked = await kysely(em)
        .insertInto(name)
        .values(row as never)
        .onConflict(conflict =>
          conflict
            .columns(['accountId', ...Object.keys(keys)] as never)
            .doUpdateSet(onFound as never),
        )
        .returningAll()
        .returning(sql<boolean>`xmax = 0`.as('isNew'))
        .executeTakeFirstOrThrow();
      return { id: locked.id, state: locked.isNew ? undefined : stateOf(locked) };
    },

    async write({ em, deps }: ApplyScope, id: string, state: State, others?: Values<Table>) {
      const values = pairs.map(([key, column]) => [column, inRow(key, state[key])]);
      const updatedAt = new Date(deps.clock.nowMs());
      await kysely(em)
        .updateTable(name)
        .set({ ...Object.fromEntries(values), ...others, updatedAt } as never)
        .where('id', '=', id)
        .execute();
    },
  };
}

function inState(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? undefined);
}

function inRow(key: string, value: unknown): unknown {
  return key.endsWith('Ms') && value !== undefined ? new Date(value as number) : (value ?? null);
}
