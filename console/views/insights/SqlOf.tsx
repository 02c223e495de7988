import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CodeBlock } from '../../pieces/CodeBlock.tsx';

/** The statement behind a report, for analysts. */
export function SqlOf({ sql }: { readonly sql: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        onClick={toggle}
        style={{ alignSelf: 'start' }}
      >
        {isOpen ? 'Hide SQL' : 'Show SQL'}
      </Button>
      {isOpen && <CodeBlock label="SQL of the report" code={sql} />}
    </Stack>
  );
}
