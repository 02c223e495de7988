import { Anchor, Grid, Group } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { RefusalLinks } from '../../../pieces/RefusalLinks.tsx';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { JourneyActions } from '../actions/JourneyActions.tsx';
import { type Changed, useStart } from '../actions/use-status-actions.tsx';
import { JOURNEYS, PEOPLE_ID, TO_JOURNEYS, TO_PEOPLE } from '../journey-paths.ts';
import { JOURNEY, type Journey } from '../journey-query.ts';
import { STATUS_ABOUT, STATUS_TONES } from '../journey-words.ts';
import { Messages } from '../messages/Messages.tsx';
import { People } from '../people/People.tsx';
import { Steps } from '../steps/Steps.tsx';

export default function JourneyPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: JOURNEY, variables: { id } });
  return (
    <Asked asked={asked} label="Loading the journey">
      {({ journey }) =>
        journey === null ? (
          <Empty title="Journey not found" icon={IconRoute}>
            It may belong to another workspace.{' '}
            <Anchor component={Link} href={JOURNEYS} inherit>
              All journeys
            </Anchor>
          </Empty>
        ) : (
          <Shown journey={journey} onRefresh={() => asked[1]({ requestPolicy: 'network-only' })} />
        )
      }
    </Asked>
  );
}

type ShownProps = { readonly journey: Journey; readonly onRefresh: () => void };

function Shown({ journey: loaded, onRefresh }: ShownProps) {
  const [refreshes, setRefreshes] = useState(0);
  const [changed, setChanged] = useState<Changed | null>();
  const journey = useMemo(
    () => (changed && changed.version > loaded.version ? { ...loaded, ...changed } : loaded),
    [changed, loaded],
  );
  const refresh = () => {
    onRefresh();
    setRefreshes(refreshes + 1);
  };
  const { name, status } = journey;
  const { ask, refusals, reasons } = useStart(journey, setChanged);
  return (
    <Page
      title={name}
      back={TO_JOURNEYS}
      about={
        <Group gap="sm">
          <State name={status} tone={STATUS_TONES[status]} />
          {STATUS_ABOUT[status]}
        </Group>
      }
      actions={<JourneyActions journey={journey} onStart={ask} onChanged={setChanged} />}
    >
      <RefusalLinks title="The journey wasn’t started" refusals={refusals} reasons={reasons} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Steps journey={journey} onRefresh={refresh} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Details journey={journey} />
        </Grid.Col>
      </Grid>
      <div id={PEOPLE_ID} tabIndex={-1}>
        <People journey={journey} refreshes={refreshes} />
      </div>
      {status !== 'DRAFT' && <Messages journey={journey} />}
    </Page>
  );
}

function Details({ journey }: { readonly journey: Journey }) {
  const { inFlightCount, entrySegment, createdAt, updatedAt } = journey;
  return (
    <Card title="Details">
      <Facts
        facts={[
          [
            'People',
            <Anchor key="people" href={TO_PEOPLE} inherit>
              {inCount(inFlightCount)} in the journey
            </Anchor>,
          ],
          [
            'Entry',
            entrySegment === null
              ? 'Enrolled people only'
              : `New members of the segment “${entrySegment.name}”`,
          ],
          ['Created', <When key="created" at={createdAt} />],
          ['Updated', <When key="changed" at={updatedAt} isRelative />],
        ]}
      />
    </Card>
  );
}
