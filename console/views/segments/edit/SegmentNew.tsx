import { useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../../graph/graphql.ts';
import { Page } from '../../../pieces/Page.tsx';
import { forgetUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { SEGMENTS, segmentPath, TO_SEGMENTS } from '../segment-paths.ts';
import { MESSAGES } from '../segment-query.ts';
import { SegmentForm } from './SegmentForm.tsx';
import { isChanged, NEW_DRAFT } from './segment-draft.ts';

const CREATE = graphql(`
  mutation SegmentCreate($input: SegmentCreateInput!) {
    segmentCreate(input: $input) { segment { id } userErrors { message field code } }
  }
`);

export default function SegmentNew() {
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    messages: MESSAGES,
    changes: ['Segment'],
  });
  const [draft, setDraft] = useState(NEW_DRAFT);
  const [, go] = useLocation();
  const create = async (rule: unknown) => {
    const input = { name: draft.name.trim(), rule };
    const made = (await run({ input }))?.segmentCreate?.segment;
    if (!made) return;
    forgetUnsaved();
    go(segmentPath(made.id));
  };
  return (
    <Page
      title="New segment"
      about="People join and leave the segment automatically as they match its rule. Only events with a user ID count."
      back={TO_SEGMENTS}
    >
      <SegmentForm
        draft={draft}
        isChanged={isChanged(draft, NEW_DRAFT)}
        onChange={setDraft}
        submitLabel="Create segment"
        cancelHref={SEGMENTS}
        isRunning={isRunning}
        refusals={refusals}
        onSubmit={rule => void create(rule)}
      />
    </Page>
  );
}
