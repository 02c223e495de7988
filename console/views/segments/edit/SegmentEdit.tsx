import { Anchor } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Conflict } from '../../../pieces/Conflict.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { forgetUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { SEGMENTS, segmentPath } from '../segment-paths.ts';
import { MESSAGES, SEGMENT, type Segment } from '../segment-query.ts';
import { SegmentForm } from './SegmentForm.tsx';
import { draftOf, isChanged, type SegmentDraft } from './segment-draft.ts';

const UPDATE = graphql(`
  mutation SegmentUpdate($id: ID!, $input: SegmentUpdateInput!) {
    segmentUpdate(id: $id, input: $input) {
      segment { id name version }
      userErrors { message field code }
    }
  }
`);

export default function SegmentEdit({ id }: { readonly id: string }) {
  const asked = useQuery({ query: SEGMENT, variables: { id } });
  const isOwner = useMay('OWNER');
  return (
    <Asked asked={asked} label="Loading the segment">
      {({ segment }) => {
        if (segment === null) return <NotEditable title="Segment not found" href={SEGMENTS} />;
        if (isOwner && segment.archivedAt === null) return <Editing segment={segment} />;
        return <NotEditable title="You can’t edit this segment" href={segmentPath(id)} />;
      }}
    </Asked>
  );
}

function NotEditable({ title, href }: { readonly title: string; readonly href: string }) {
  return (
    <Empty title={title} icon={IconUsersGroup}>
      Only owners can edit segments. Archived segments can’t be edited.{' '}
      <Anchor component={Link} href={href} inherit>
        {href === SEGMENTS ? 'All segments' : 'Back to the segment'}
      </Anchor>
    </Empty>
  );
}

function Editing({ segment }: { readonly segment: Segment }) {
  const { id, name } = segment;
  const { run, isRunning, refusals, forget } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The segment was saved.',
    messages: MESSAGES,
    changes: ['Segment'],
  });
  // A refetch while the form is open changes neither the form nor the version that it is based on.
  const [opened, setOpened] = useState(() => draftOf(segment));
  const [draft, setDraft] = useState(opened);
  const hasConflict = refusals.some(({ code }) => code === 'SEGMENT_CHANGED');
  const [, go] = useLocation();
  const save = async (rule: unknown) => {
    const { name, version } = draft;
    const hasNewRule = isChanged(ruleOnly(draft), ruleOnly(opened));
    const input = { name: name.trim(), version, ...(hasNewRule && { rule }) };
    if ((await run({ id, input })) === undefined) return;
    forgetUnsaved();
    go(segmentPath(id));
  };
  const loadCurrent = () => {
    const current = draftOf(segment);
    forget();
    setOpened(current);
    setDraft(current);
  };
  const keepMine = () => {
    forget();
    setDraft({ ...draft, version: segment.version });
  };
  return (
    <Page
      title={`Edit “${name}”`}
      back={{ href: segmentPath(id), label: name }}
      about="If you change the rule, members are recounted within seconds. People added by the change don’t enter journeys."
    >
      {hasConflict && <Conflict noun="segment" onDiscard={loadCurrent} onKeep={keepMine} />}
      <SegmentForm
        draft={draft}
        isChanged={isChanged(draft, opened)}
        onChange={setDraft}
        submitLabel="Save"
        cancelHref={segmentPath(id)}
        isRunning={isRunning}
        refusals={hasConflict ? [] : refusals}
        onSubmit={rule => void save(rule)}
      />
    </Page>
  );
}

/** The same rule is not sent again: it would be evaluated anew. */
function ruleOnly({ rule, json }: SegmentDraft) {
  return { rule, json };
}
