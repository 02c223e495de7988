import type { TypedDocumentNode } from '@urql/core';
import { type ComponentType, type ReactNode, useMemo } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { BulkBar } from '../../../pieces/BulkBar.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import type { Connection, PagedVariables } from '../../../pieces/pages-of.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { useChosen } from '../../../pieces/use-chosen.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import type { Ask } from '../../../pieces/use-repeat.ts';
import { useOnReturn } from './use-on-return.ts';

type QueueProps<Data, Variables, Row> = {
  readonly label: string;
  /** Takes `after`. */
  readonly document: TypedDocumentNode<Data, Variables>;
  readonly variables: Omit<Variables, 'after'>;
  readonly connectionOf: (data: Data) => Connection<Row>;
  /** The GraphQL type of the rows: after a mutation of that type the queue is refetched. */
  readonly typename: string;
  readonly columns: readonly Column<Row>[];
  /** For rows that can be selected and decided together. */
  readonly bulk?: Bulk<Row>;
  readonly empty: ReactNode;
};

type Bulk<Row> = {
  /** Names a row for screen readers. */
  readonly nameOf: (row: Row) => string;
  readonly Actions: ComponentType<{ readonly rows: readonly Row[]; readonly onDone: () => void }>;
};

/** What waits for a decision. It is refetched when the viewer returns to the window, and has keys (`useQueueKeys`). */
export function Queue<Data, Variables extends PagedVariables, Row extends { readonly id: string }>(
  props: QueueProps<Data, Variables, Row>,
) {
  const { label, document, variables, typename } = props;
  const context = useMemo(() => ({ additionalTypenames: [typename] }), [typename]);
  const asked = useQuery<Data, Variables>({
    query: document,
    variables: variables as Variables,
    context,
  });
  return (
    <Asked asked={asked} label={`Loading ${label.toLowerCase()}`}>
      {data => <Rows {...props} data={data} ask={asked[1]} />}
    </Asked>
  );
}

type RowsProps<Data, Variables, Row> = QueueProps<Data, Variables, Row> & {
  readonly data: Data;
  readonly ask: Ask;
};

function Rows<Data, Variables extends PagedVariables, Row extends { readonly id: string }>(
  props: RowsProps<Data, Variables, Row>,
) {
  const { label, document, variables, connectionOf, columns, bulk, empty, data, ask } = props;
  const first = connectionOf(data);
  const { nodes, page, isLoading, error, showMore } = usePages(
    first,
    document,
    variables,
    connectionOf,
  );
  const chosen = useChosen(nodes, row => bulk?.nameOf(row) ?? row.id);
  const queue = useQueueKeys<HTMLDivElement>();
  useOnReturn(ask, nodes.length > first.nodes.length || chosen.rows.length > 0);
  return (
    <div ref={queue} className="fills-card">
      {nodes.length === 0 ? (
        empty
      ) : (
        <>
          {bulk && (
            <BulkBar count={chosen.rows.length}>
              <bulk.Actions rows={chosen.rows} onDone={chosen.clear} />
            </BulkBar>
          )}
          <Table
            label={label}
            rows={nodes}
            keyOf={({ id }) => id}
            columns={bulk ? [chosen.column, ...columns] : columns}
          />
          {error && <Problem error={error} />}
          <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
        </>
      )}
    </div>
  );
}
