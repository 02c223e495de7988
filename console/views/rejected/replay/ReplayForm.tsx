import { Button, Stack } from '@mantine/core';
import { IconMoodEmpty } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { CUSTOM, type Range, rangeOf } from '../../../pieces/range/range.ts';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { LIMITS } from '../range.ts';
import { REJECTED } from '../rejected-paths.ts';
import { ReplayRequest } from './ReplayRequest.tsx';
import { backOf } from './replay-href.ts';
import { NOT_REPLAYED_CODE, REPLAYABLE, REPLAYED_ENDPOINT } from './replay-query.ts';

/** The form that replays the events of a range. The URL has the range and the reasons. */
export default function ReplayForm() {
  const [params] = useSearchParams();
  const [from, to] = [params.get('from'), params.get('to')];
  const range = useMemo(() => rangeOf({ name: CUSTOM, from, to }, LIMITS, 0), [from, to]);
  return (
    <Page
      title="Replay rejected events"
      about="Corrects rejected events and sends them again. A dry run shows the result first."
      back={backLink(backOf(params))}
    >
      {useMay('OWNER') && range ? <Asking range={range} /> : <Nothing />}
    </Page>
  );
}

function backLink(href: string) {
  const isEvent = href.startsWith(REJECTED.event);
  return { href, label: isEvent ? 'Rejected event' : 'Rejected events' };
}

function Asking({ range }: { readonly range: Range }) {
  const asked = useQuery({ query: REPLAYABLE, variables: { range } });
  return (
    <Asked asked={asked} label="Loading reasons">
      {({ rejectedEventCodes }) => {
        const reasons = rejectedEventCodes?.filter(
          ({ code, endpoints }) =>
            code !== NOT_REPLAYED_CODE && endpoints.includes(REPLAYED_ENDPOINT),
        );
        if (reasons === undefined) return null;
        return reasons.length === 0 ? (
          <Nothing />
        ) : (
          <ReplayRequest range={range} reasons={reasons} />
        );
      }}
    </Asked>
  );
}

function Nothing() {
  const [params] = useSearchParams();
  return (
    <Card>
      <Stack align="center" pb="lg">
        <Empty title="No events to replay" icon={IconMoodEmpty}>
          Owners can replay events that were sent in batches. Choose another time range.
        </Empty>
        <Button component={Link} href={backOf(params)} variant="default">
          Show rejected events
        </Button>
      </Stack>
    </Card>
  );
}
