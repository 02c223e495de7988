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
        title="It is shown this once, and never again"
      >
        Put it where your receiver reads its secrets. Who has it can sign as we do; if it gets lost,
        rotate it.
      </Alert>
      <CopyField label="Signing secret" value={secret} />
      <Text size="sm" c="dimmed">
        The standard’s libraries take it as it is.{' '}
        <Anchor href="/docs/webhooks" target="_blank" rel="noreferrer" inherit>
          How a webhook is verified
        </Anchor>
      </Text>
      <Button onClick={onDone}>I have it</Button>
    </Stack>
  );
}
