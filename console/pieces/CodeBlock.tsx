import { Box, Code } from '@mantine/core';
import { CopyCorner } from './CopyCorner.tsx';

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
      <CopyCorner text={code} label={label} />
    </Box>
  );
}
