import { Anchor, Text } from '@mantine/core';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { ShownOnce } from '../../../pieces/ShownOnce.tsx';

export function SecretOnce({ secret }: { readonly secret: string }) {
  return (
    <ShownOnce
      what="secret"
      warning="Store it with your receiver’s other secrets. Anyone with the secret can forge webhooks. If it is lost or leaked, rotate it."
    >
      {onCopy => (
        <>
          <CopyField label="Signing secret" value={secret} onCopy={onCopy} />
          <Text size="sm" c="dimmed">
            Works with any Standard Webhooks library.{' '}
            <Anchor href="/docs/webhooks" target="_blank" rel="noreferrer" inherit>
              How to verify webhooks
            </Anchor>
          </Text>
        </>
      )}
    </ShownOnce>
  );
}
