import { Stack } from '@mantine/core';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { Erasures } from './Erasures.tsx';
import { LateDays } from './LateDays.tsx';
import { RetentionRules } from './RetentionRules.tsx';

/** How long data is kept, and the erasures of people. */
export default function Privacy() {
  const isOwner = useMay('OWNER');
  return (
    <Stack gap="lg">
      <RetentionRules isOwner={isOwner} />
      <Erasures />
      <LateDays isOwner={isOwner} />
    </Stack>
  );
}
