import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';

const WIDTHS = ['100%', '92%', '97%', '60%'];
const LINE_PX = 16;

/** Lines in the place of what is loaded. */
export function Loading({ label }: { readonly label: string }) {
  return (
    <Stack p="lg" gap="md" role="status" aria-live="polite">
      {WIDTHS.map(width => (
        <Skeleton key={width} h={LINE_PX} w={width} aria-hidden />
      ))}
      <VisuallyHidden>{label}…</VisuallyHidden>
    </Stack>
  );
}
