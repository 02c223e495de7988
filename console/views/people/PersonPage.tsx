import { Alert, Grid, Stack } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Facts } from '../../pieces/Facts.tsx';
import { Page } from '../../pieces/Page.tsx';
import { personName } from '../../pieces/person-name.ts';
import { When } from '../../pieces/When.tsx';
import { useBackToList } from './back-to-list.ts';
import { Consents } from './Consents.tsx';
import { Devices } from './Devices.tsx';
import { JourneysOf } from './JourneysOf.tsx';
import { NoContact } from './NoContact.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { OF_PERSON, PERSON, type Person } from './person-query.ts';
import { Erasing } from './privacy/Erasing.tsx';
import { Traits } from './Traits.tsx';
import { Timeline } from './timeline/Timeline.tsx';

/** One person; also a user ID without a contact, of which there may be events. */
export function PersonPage({ userId }: { readonly userId: string }) {
  const [erasureId, setErasureId] = useState<string>();
  const back = useBackToList();
  return erasureId === undefined ? (
    <Shown userId={userId} back={back} onErasing={setErasureId} />
  ) : (
    <Page title={userId} back={back}>
      <Erasing userId={userId} erasureId={erasureId} />
    </Page>
  );
}

type ShownProps = {
  readonly userId: string;
  readonly back: ReturnType<typeof useBackToList>;
  readonly onErasing: (erasureId: string) => void;
};

function Shown({ userId, back, onErasing }: ShownProps) {
  const asked = useQuery({ query: PERSON, variables: { userId }, context: OF_PERSON });
  const person = asked[0].data?.contactByUserId ?? undefined;
  return (
    <Page
      title={userId}
      about={personName(person?.traits)}
      back={back}
      actions={<PersonMenu userId={userId} person={person} onErasing={onErasing} />}
    >
      {person?.suppressedAt && <Suppressed at={person.suppressedAt} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Timeline userId={userId} anonymousId={person?.anonymousId ?? null} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Asked asked={asked} label="Loading the contact">
            {({ contactByUserId }) =>
              contactByUserId === null ? (
                <NoContact userId={userId} />
              ) : (
                <Sides person={contactByUserId} />
              )
            }
          </Asked>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Suppressed({ at }: { readonly at: string }) {
  return (
    <Alert color="yellow" variant="outline" icon={<IconBellOff />} role="note" title="Suppressed">
      Receives no journey messages and no marketing campaigns since <When at={at} />, regardless of
      consents.
    </Alert>
  );
}

function Sides({ person }: { readonly person: Person }) {
  const { anonymousId, createdAt, updatedAt } = person;
  return (
    <Stack gap="lg">
      <Card title="Contact">
        <Facts
          facts={[
            ['Created', <When key="created" at={createdAt} />],
            ['Updated', <When key="changed" at={updatedAt} isRelative />],
            ['Anonymous ID', anonymousId && <span className="mono">{anonymousId}</span>],
          ]}
        />
      </Card>
      <JourneysOf enrolments={person.enrolments} />
      <Consents person={person} />
      <Traits person={person} />
      <Devices devices={person.devices} />
    </Stack>
  );
}
