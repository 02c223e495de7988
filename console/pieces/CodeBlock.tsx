import { ActionIcon, Box, Code, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CodeBlockProps = { readonly code: string; readonly label: string };

/** Text to paste elsewhere: a command, a secret, a body. */
export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <Box pos="relative">
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', paddingRight: 48 }}
      >
        {code}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyButton value={code}>
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
    </Box>
  );
}
