import { Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { Asked } from '../../pieces/Asked.tsx';
import { Dialog } from '../../pieces/Dialog.tsx';
import { inCount } from '../../pieces/in-words.ts';
import { JourneyLink } from '../../pieces/JourneyLink.tsx';
import { Refusals } from '../../pieces/Refusals.tsx';
import { Table } from '../../pieces/Table.tsx';
import type { Refusal } from '../../pieces/use-action.tsx';
import type { Template } from './template-query.ts';

const HOLDING = graphql(`
  query JourneysHoldingTemplate($templateId: ID!) {
    templateVersions(templateId: $templateId, first: 100) {
      nodes { id inFlight { journey { id name inFlightCount } } }
    }
  }
`);

type NotArchivedProps = {
  readonly template: Template;
  /** Empty if the dialog is closed. */
  readonly refusals: readonly Refusal[];
  readonly onClose: () => void;
};

/** Why a template wasn’t archived: if people in journeys hold its versions, it lists the journeys. */
export function NotArchived({ template, refusals, onClose }: NotArchivedProps) {
  const isHeld = refusals.some(({ code }) => code === 'TEMPLATE_PINNED');
  return (
    <Dialog
      opened={refusals.length > 0}
      onClose={onClose}
      title={`“${template.name}” wasn’t archived`}
    >
      {isHeld ? <Journeys template={template} /> : <Refusals refusals={refusals} />}
    </Dialog>
  );
}

function Journeys({ template }: Pick<NotArchivedProps, 'template'>) {
  const asked = useQuery({
    query: HOLDING,
    variables: { templateId: template.id },
    requestPolicy: 'network-only',
  });
  return (
    <Stack>
      <Text size="sm">
        People in these journeys hold versions of the template. Archive the journeys, or remove the
        people from them, and then archive the template.
      </Text>
      <Asked asked={asked} label="Loading journeys">
        {data => (
          <Table
            label="Journeys with people who hold a version"
            rows={journeysOf(data)}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Journey', cell: journey => <JourneyLink journey={journey} /> },
              {
                title: 'In the journey',
                isNumber: true,
                cell: ({ inFlightCount }) => inCount(inFlightCount),
              },
            ]}
          />
        )}
      </Asked>
    </Stack>
  );
}

/** Each journey once. */
function journeysOf({ templateVersions }: ResultOf<typeof HOLDING>) {
  const touched = templateVersions.nodes.flatMap(({ inFlight }) => inFlight);
  const journeys = touched.flatMap(({ journey }) => journey ?? []);
  return [...new Map(journeys.map(journey => [journey.id, journey])).values()];
}
