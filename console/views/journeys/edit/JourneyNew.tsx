import { useLocation } from 'wouter';
import { Page } from '../../../pieces/Page.tsx';
import { forgetUnsaved } from '../../../pieces/unsaved.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { JOURNEYS, journeyPath, TO_JOURNEYS } from '../journey-paths.ts';
import { JourneyForm } from './JourneyForm.tsx';
import { NEW_DRAFT } from './journey-draft.ts';
import { CREATE } from './journey-mutations.ts';
import { MESSAGES } from './refused-fields.ts';
import { stepInputsOf } from './step-inputs.ts';
import { useJourneyForm } from './use-journey-form.ts';

export default function JourneyNew() {
  const { run, isRunning, refusals } = useAction(CREATE, {
    isFormShowing: true,
    messages: MESSAGES,
  });
  const form = useJourneyForm(NEW_DRAFT, refusals);
  const [, go] = useLocation();
  const submit = async () => {
    const { name, entrySegmentId } = form.draft;
    const input = {
      name,
      nodes: stepInputsOf(form.draft),
      ...(entrySegmentId !== '' && { entrySegmentId }),
    };
    const made = (await run({ input }))?.journeyCreate?.journey;
    if (!made) return;
    forgetUnsaved();
    go(journeyPath(made.id));
  };
  return (
    <Page
      title="New journey"
      about="Saved as a draft: no one enters until you start it. To try it, start it and enrol only yourself."
      back={TO_JOURNEYS}
    >
      <JourneyForm
        form={form}
        refusals={refusals}
        submitLabel="Create draft"
        cancelHref={JOURNEYS}
        isRunning={isRunning}
        onSubmit={() => void submit()}
      />
    </Page>
  );
}
