import { ActionIcon, Box, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyCornerProps = { readonly text: string; readonly label: string };

/** A copy button in the upper corner; its container must be `position: relative`. */
export function CopyCorner({ text, label }: CopyCornerProps) {
  return (
    <Box pos="absolute" top={6} right={6}>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              variant="default"
              onClick={copy}
              aria-label={copied ? `${label}: copied` : `Copy ${label}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Box>
  );
}
