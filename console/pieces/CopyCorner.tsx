import { Box } from '@mantine/core';
import { CopyAction } from './CopyAction.tsx';

type CopyCornerProps = { readonly text: string; readonly label: string };

/** A copy button in the upper corner; its container must be `position: relative`. */
export function CopyCorner({ text, label }: CopyCornerProps) {
  return (
    <Box pos="absolute" top={6} right={6}>
      <CopyAction text={text} label={label} variant="default" />
    </Box>
  );
}
