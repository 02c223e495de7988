import './table.css';
import { Box, Table as MantineTable } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers and money stand at the right. */
  readonly isNumber?: boolean;
  /** Left out where there is little room, and the row itself can be opened. */
  readonly isWide?: boolean;
};

type TableProps<Row> = {
  /** The label for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
};

/** Scrolls horizontally if it is wider than the screen, also with the keyboard. */
export function Table<Row>({ label, rows, keyOf, columns }: TableProps<Row>) {
  const { ref, isScrolling } = useScrolling();
  return (
    <Box
      ref={ref}
      className="table-frame"
      {...(isScrolling && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      <MantineTable
        className="table"
        verticalSpacing={4}
        horizontalSpacing="var(--cell-space)"
        highlightOnHover
        // Mantine's own is too light for links on it in dark mode.
        highlightOnHoverColor="light-dark(var(--mantine-color-gray-1), var(--mantine-color-dark-6))"
        aria-label={label}
      >
        <MantineTable.Thead>
          <MantineTable.Tr>
            {columns.map(({ title, isNumber, isWide }) => (
              <MantineTable.Th
                key={title}
                ta={isNumber ? 'right' : undefined}
                className={isWide ? 'table-wide' : undefined}
                c="dimmed"
                fz="xs"
                fw={600}
              >
                {title}
              </MantineTable.Th>
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {rows.map(row => (
            <MantineTable.Tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isWide }) => (
                <MantineTable.Td
                  key={title}
                  ta={isNumber ? 'right' : undefined}
                  className={isWide ? 'table-wide' : undefined}
                >
                  {cell(row)}
                </MantineTable.Td>
              ))}
            </MantineTable.Tr>
          ))}
        </MantineTable.Tbody>
      </MantineTable>
    </Box>
  );
}

/** Only a frame that scrolls is a stop of the Tab key. */
function useScrolling() {
  const ref = useRef<HTMLDivElement>(null);
  const [isScrolling, setIsScrolling] = useState(false);
  useEffect(() => {
    const frame = ref.current!;
    const observer = new ResizeObserver(() =>
      setIsScrolling(frame.scrollWidth > frame.clientWidth),
    );
    observer.observe(frame);
    observer.observe(frame.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  return { ref, isScrolling };
}
