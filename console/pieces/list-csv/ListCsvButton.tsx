import { Button, Group, Text } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { inCount } from '../in-words.ts';
import type { PagedVariables } from '../pages-of.ts';
import { type ListCsv, useListCsv } from './use-list-csv.ts';

type ListCsvButtonProps<Data, Variables, Node> = {
  readonly list: ListCsv<Data, Variables, Node>;
  /** The filters of the list. */
  readonly variables: Omit<Variables, 'after'>;
};

/** Downloads the list as a CSV file, and shows how far the download is. */
export function ListCsvButton<Data, Variables extends PagedVariables, Node>({
  list,
  variables,
}: ListCsvButtonProps<Data, Variables, Node>) {
  const { rowCount, download, cancel } = useListCsv(list);
  const isRunning = rowCount !== undefined;
  return (
    <Group gap="xs">
      {isRunning && (
        <>
          <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {inCount(rowCount)} rows
          </Text>
          <Button variant="default" leftSection={<IconX size={17} />} onClick={cancel}>
            Cancel the download
          </Button>
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconDownload size={17} />}
        loading={isRunning}
        onClick={() => void download(variables)}
      >
        Download CSV
      </Button>
    </Group>
  );
}
