import { Center, Loader, VisuallyHidden } from '@mantine/core';

export function Loading({ label }: { readonly label: string }) {
  return (
    <Center mih={220} role="status" aria-live="polite">
      <Loader type="dots" aria-hidden />
      <VisuallyHidden>{label}…</VisuallyHidden>
    </Center>
  );
}
