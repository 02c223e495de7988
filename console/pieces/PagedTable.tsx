import { type ReactNode, useMemo } from 'react';
import { useQuery } from 'urql';
import { Asked } from './Asked.tsx';
import { MoreButton } from './MoreButton.tsx';
import { Problem } from './Problem.tsx';
import type { Connection, PagedList, PagedVariables } from './pages-of.ts';
import { type Column, Table } from './Table.tsx';
import { usePages } from './use-pages.ts';

type PagedTableProps<Data, Variables, Node> = PagedList<Data, Variables, Node> & {
  readonly label: string;
  readonly variables: Omit<Variables, 'after'>;
  /**
   * The GraphQL type of the items: after a mutation of that type the list is refetched, even if it
   * is empty.
   */
  readonly typename: string;
  readonly keyOf: (node: Node) => string;
  readonly columns: readonly Column<Node>[];
  /** In the place of an empty list. */
  readonly empty: ReactNode;
};

/** The list of most views: queries the items, shows them as a table, and loads further pages. */
export function PagedTable<Data, Variables extends PagedVariables, Node>(
  props: PagedTableProps<Data, Variables, Node>,
) {
  const { document, variables, typename, label, connectionOf } = props;
  const context = useMemo(() => ({ additionalTypenames: [typename] }), [typename]);
  const asked = useQuery<Data, Variables>({
    query: document,
    variables: variables as Variables,
    context,
  });
  return (
    <Asked asked={asked} label={`Loading: ${label}`}>
      {data => {
        const first = connectionOf(data);
        return first && <Pages {...props} first={first} />;
      }}
    </Asked>
  );
}

function Pages<Data, Variables extends PagedVariables, Node>({
  first,
  ...props
}: PagedTableProps<Data, Variables, Node> & { readonly first: Connection<Node> }) {
  const { label, document, variables, connectionOf, keyOf, columns, empty } = props;
  const { nodes, page, isLoading, error, showMore } = usePages(
    first,
    document,
    variables,
    connectionOf,
  );
  if (nodes.length === 0) return empty;
  return (
    <>
      <Table label={label} rows={nodes} keyOf={keyOf} columns={columns} />
      {error && <Problem error={error} />}
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}
