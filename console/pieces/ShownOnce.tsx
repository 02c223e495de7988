import { Alert, Button, Stack } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useClose } from './Dialog.tsx';

type ShownOnceProps = {
  /** Such as "secret". */
  readonly what: string;
  readonly warning: string;
  /** Calls its argument once the secret is copied. */
  readonly children: (onCopy: () => void) => ReactNode;
};

/** A secret in a dialog that won’t show it again, and asks before it closes until it was copied. */
export function ShownOnce({ what, warning, children }: ShownOnceProps) {
  const [isCopied, setIsCopied] = useState(false);
  const close = useClose();
  return (
    <Stack data-uncopied={!isCopied || undefined}>
      <Alert
        icon={<IconEyeOff />}
        variant="outline"
        color="brand"
        title={`Copy the ${what} now: it won’t be shown again`}
      >
        {warning}
      </Alert>
      {children(() => setIsCopied(true))}
      <Button variant="default" onClick={close}>
        Done
      </Button>
    </Stack>
  );
}
