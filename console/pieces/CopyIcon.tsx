import { ActionIcon, CopyButton, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type CopyIconProps = {
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly label: string;
  /** The text as it is shown. */
  readonly children: ReactNode;
};

/** A short text in a row of a table, with a button that copies it. */
export function CopyIcon({ text, label, children }: CopyIconProps) {
  return (
    <Group gap={4} wrap="nowrap">
      {children}
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={copied ? `Copied: ${label}` : `Copy ${label}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
