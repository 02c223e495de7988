import { Progress } from '@mantine/core';
import { inCount, inPercent } from '../../../../pieces/in-words.ts';
import { Table } from '../../../../pieces/Table.tsx';

export type AnswerRow = {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly color?: string;
};

type AnswerTableProps = {
  readonly label: string;
  readonly rows: readonly AnswerRow[];
  /** Of which each row is a share. */
  readonly responseCount: number;
};

/** Answers with their numbers and shares. */
export function AnswerTable({ label, rows, responseCount }: AnswerTableProps) {
  const shareOf = ({ count }: AnswerRow) => count / responseCount;
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Answer',
          cell: row => (
            <>
              {row.label}
              <Progress
                aria-hidden
                size="sm"
                mt={4}
                miw={80}
                color={row.color ?? 'brand'}
                value={100 * shareOf(row)}
              />
            </>
          ),
        },
        { title: 'Responses', isNumber: true, cell: ({ count }) => inCount(count) },
        { title: 'Share', isNumber: true, cell: row => inPercent(shareOf(row)) },
      ]}
    />
  );
}
