import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { inCount } from './in-words.ts';

type BulkBarProps = { readonly count: number; readonly children: ReactNode };

/** The actions on the selected rows. */
export function BulkBar({ count, children }: BulkBarProps) {
  return (
    <Group px="lg" pb="sm" gap="sm" mih={42}>
      <Text size="sm" c={count === 0 ? 'dimmed' : 'var(--mantine-color-text)'} role="status">
        {count === 0 ? 'Select rows for bulk actions.' : `${inCount(count)} selected`}
      </Text>
      {count > 0 && children}
    </Group>
  );
}
