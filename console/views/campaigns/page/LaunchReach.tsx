import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { inCount } from '../../../pieces/in-words.ts';
import type { Campaign } from '../campaign-query.ts';
import { reachInWords, type Size, useReach } from '../Reach.tsx';

type LaunchReachProps = { readonly campaign: Pick<Campaign, 'audience' | 'consentPurpose'> };

/** The number of contacts that can see the campaign, in the launch dialog. Warns if there are none. */
export function LaunchReach({ campaign }: LaunchReachProps) {
  const { consentPurpose } = campaign;
  const { size, error } = useReach(campaign);
  if (size === undefined || size.consenting > 0)
    return (
      <Text size="sm" mt="sm" role="status">
        {size && `Right now, that is ${reachInWords(size, consentPurpose)}.`}
        {!size && (error ? 'How many people that is, is not known now.' : 'Counting the people…')}
      </Text>
    );
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle />}
      role="note"
      title="No contact can see it now"
      mt="sm"
    >
      {reasonOf(size, consentPurpose)}
    </Alert>
  );
}

function reasonOf({ matching, examined, isComplete }: Size, consentPurpose: string): string {
  const contacts = isComplete
    ? `${inCount(examined)} contacts`
    : `newest ${inCount(examined)} contacts`;
  if (examined === 0) return 'The workspace has no contacts yet.';
  if (matching === 0) return `None of the ${contacts} is in its audience.`;
  return `Its audience has ${inCount(matching)} of the ${contacts}, but consent to ${consentPurpose} lets none of them see it.`;
}
