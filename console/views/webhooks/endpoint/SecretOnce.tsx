import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { CopyField } from '../../../pieces/CopyField.tsx';

type SecretOnceProps = { readonly secret: string; readonly onDone: () => void };

export function SecretOnce({ secret, onDone }: SecretOnceProps) {
  return (
    <Stack>
      <Alert
        icon={<IconEyeOff />}
        variant="outline"
        color="brand"
        title="Copy the secret now: it won’t be shown again"
      >
        Store it with your receiver’s other secrets. Anyone with the secret can forge webhooks. If
        it is lost or leaked, rotate it.
      </Alert>
      <CopyField label="Signing secret" value={secret} />
      <Text size="sm" c="dimmed">
        Works with any Standard Webhooks library.{' '}
        <Anchor href="/docs/webhooks" target="_blank" rel="noreferrer" inherit>
          How to verify webhooks
        </Anchor>
      </Text>
      <Button onClick={onDone}>Done</Button>
    </Stack>
  );
}
