import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { Fragment } from 'react';
import { inCount } from '../../../pieces/in-words.ts';
import { JourneyLink } from '../../../pieces/JourneyLink.tsx';
import { When } from '../../../pieces/When.tsx';
import { peopleOf } from '../people-of.ts';
import classes from './rollout.module.css';
import type { Impact, Touched } from './rollout-query.ts';

type ImpactListProps = { readonly impact: Impact; readonly isMoving: boolean };

/** The people in flight on the other versions, and the values that their data lacks. */
export function ImpactList({ impact, isMoving }: ImpactListProps) {
  if (impact.inFlightCount === 0)
    return (
      <Group gap="sm" wrap="nowrap">
        <IconUsers size={22} stroke={1.5} aria-hidden />
        <Text size="sm">No people in flight are on other versions, so no one is affected.</Text>
      </Group>
    );
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h6">
          {peopleOf(impact.inFlightCount)} in flight on other versions
        </Title>
        <Text size="xs" c="dimmed">
          counted <When at={impact.checkedAt} isInSentence />
        </Text>
      </Group>
      <ul className={classes.list}>
        {impact.versions.map(touched => (
          <TouchedVersion key={touched.version.id} touched={touched} isMoving={isMoving} />
        ))}
      </ul>
    </Stack>
  );
}

function TouchedVersion({ touched, isMoving }: { touched: Touched; isMoving: boolean }) {
  const { version, inFlightCount, journeys, diff } = touched;
  const lacking = diff.variables.filter(({ isBreaking }) => isBreaking);
  return (
    <li className={classes.item}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={2}>
          <Text size="sm" fw={600}>
            Version {version.number}
          </Text>
          <Text size="xs" c="dimmed">
            {journeys.map(({ journey, inFlightCount: count }, at) => (
              <Fragment key={journey?.id ?? at}>
                {at > 0 && ', '}
                {journey && <JourneyLink journey={journey} />} ({inCount(count)})
              </Fragment>
            ))}
          </Text>
        </Stack>
        <Badge variant="default" size="lg" tt="none" leftSection={<IconUsers size={14} />}>
          {inCount(inFlightCount)}
        </Badge>
      </Group>
      {isMoving && lacking.length > 0 && (
        <Group gap={6} mt={6} wrap="nowrap" className={classes.lacking!}>
          <IconAlertTriangle size={16} aria-hidden />
          <Text size="xs">
            Not required until now: {lacking.map(({ name }) => name).join(', ')}. People who lack a
            value don’t receive the message and continue the journey.
          </Text>
        </Group>
      )}
    </li>
  );
}
