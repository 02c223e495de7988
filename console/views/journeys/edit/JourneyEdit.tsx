import { Anchor } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Conflict } from '../../../pieces/Conflict.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { forgetUnsaved } from '../../../pieces/unsaved.ts';
import { type Refusal, useAction } from '../../../pieces/use-action.tsx';
import { useMayEdit } from '../actions/JourneyActions.tsx';
import { JOURNEYS, journeyPath } from '../journey-paths.ts';
import { JOURNEY, type Journey } from '../journey-query.ts';
import { peopleInWords } from '../journey-words.ts';
import { JourneyForm } from './JourneyForm.tsx';
import { draftOf } from './journey-draft.ts';
import { UPDATE } from './journey-mutations.ts';
import { linkedRefusals, MESSAGES } from './refused-fields.ts';
import { isChanged, stepInputsOf } from './step-inputs.ts';
import { useJourneyForm } from './use-journey-form.ts';

export default function JourneyEdit({ id }: { readonly id: string }) {
  const asked = useQuery({ query: JOURNEY, variables: { id } });
  return (
    <Asked asked={asked} label="Loading the journey">
      {({ journey }) =>
        journey === null ? (
          <Empty title="Journey not found" icon={IconRoute}>
            <Anchor component={Link} href={JOURNEYS} inherit>
              All journeys
            </Anchor>
          </Empty>
        ) : (
          <Allowed journey={journey} />
        )
      }
    </Asked>
  );
}

function Allowed({ journey }: { readonly journey: Journey }) {
  if (useMayEdit(journey)) return <Editing journey={journey} />;
  return (
    <Empty title="You can’t edit this journey" icon={IconRoute}>
      Members can edit drafts; owners can also edit active and paused journeys. Archived journeys
      can’t be edited.{' '}
      <Anchor component={Link} href={journeyPath(journey.id)} inherit>
        Back to the journey
      </Anchor>
    </Empty>
  );
}

const NONE: readonly Refusal[] = [];

function Editing({ journey }: { readonly journey: Journey }) {
  const { id, name, status } = journey;
  const {
    run,
    isRunning,
    refusals: refused,
    forget,
  } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The journey was saved.',
    messages: MESSAGES,
    changes: ['Journey'],
  });
  // A refetch while the form is open changes neither the form nor the version that it is based on.
  const [opened, setOpened] = useState(() => draftOf(journey));
  const [linked] = useState(() => linkedRefusals(location.search, opened.steps));
  const refusals = refused.length > 0 ? refused : linked;
  const hasConflict = refusals.some(({ code }) => code === 'JOURNEY_CHANGED');
  const form = useJourneyForm(opened, hasConflict ? NONE : refusals);
  const [, go] = useLocation();
  const path = journeyPath(id);
  const save = async () => {
    const { draft } = form;
    const hasNewSteps = isChanged(draft, opened);
    const input = {
      name: draft.name,
      version: draft.version,
      entrySegmentId: draft.entrySegmentId === '' ? null : draft.entrySegmentId,
      ...(hasNewSteps && { nodes: stepInputsOf(draft) }),
    };
    if ((await run({ id, input })) === undefined) return;
    forgetUnsaved();
    go(path);
  };
  const submit = () =>
    status === 'DRAFT' || !isChanged(form.draft, opened)
      ? void save()
      : askToSave(journey, () => void save());
  const loadCurrent = () => {
    const current = draftOf(journey);
    forget();
    setOpened(current);
    form.reset(current);
  };
  const keepMine = () => {
    forget();
    form.change({ version: journey.version });
  };
  return (
    <Page title={`Edit “${name}”`} back={{ href: path, label: name }} about={ABOUT[status]}>
      {hasConflict && <Conflict noun="journey" onDiscard={loadCurrent} onKeep={keepMine} />}
      <JourneyForm
        form={form}
        refusals={hasConflict ? NONE : refusals}
        submitLabel="Save"
        cancelHref={path}
        isRunning={isRunning}
        onSubmit={submit}
      />
    </Page>
  );
}

/** People in flight keep the steps that they entered with. */
function askToSave({ name, inFlightCount }: Journey, onConfirm: () => void): void {
  const inside =
    inFlightCount === 0
      ? 'No one is in the journey now.'
      : `${peopleInWords(inFlightCount)} in the journey ${inFlightCount === 1 ? 'finishes' : 'finish'} with the steps they entered with.`;
  confirm({
    title: `Save the steps of “${name}”`,
    confirm: 'Save the steps',
    children: `People who enter from now on get the new steps. ${inside}`,
    onConfirm,
  });
}

const ABOUT: Readonly<Record<Journey['status'], string>> = {
  DRAFT: 'No one enters until the journey is started.',
  ACTIVE:
    'Your changes apply to people who enter from now on. People in the journey keep their steps.',
  PAUSED:
    'Your changes apply to people who enter after it is resumed. People in the journey keep their steps.',
  ARCHIVED: '',
};
