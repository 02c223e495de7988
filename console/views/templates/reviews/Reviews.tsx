import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck, IconMailCheck, IconX } from '@tabler/icons-react';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inLanguage } from '../../../pieces/channels.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import { When } from '../../../pieces/When.tsx';
import { EmailPreview } from '../preview/EmailPreview.tsx';
import { TEMPLATES } from '../template-paths.ts';

const REVIEWS = graphql(`
  query TemplateReviews {
    templateReviews(first: 20) {
      submissionId
      templateName
      organizationName
      number
      language
      subject
      body
      submittedAt
      dueAt
    }
  }
`);

const APPROVE = graphql(`
  mutation TemplateReviewApprove($input: TemplateReviewApproveInput!) {
    templateReviewApprove(input: $input) { submissionId userErrors { message field } }
  }
`);

const REJECT = graphql(`
  mutation TemplateReviewReject($input: TemplateReviewRejectInput!) {
    templateReviewReject(input: $input) { submissionId userErrors { message field } }
  }
`);

type Review = ResultOf<typeof REVIEWS>['templateReviews'][number];

const BACK = { href: TEMPLATES, label: 'Templates' };

/** Emails of all tenants that are pending review by a platform admin, oldest first. */
export function Reviews() {
  const asked = useQuery({ query: REVIEWS });
  const askAgain = () => asked[1]({ requestPolicy: 'network-only' });
  const [rejected, setRejected] = useState<Review>();
  const queue = useQueueKeys<HTMLDivElement>();
  return (
    <Page
      title="Reviews"
      about="Emails waiting for review, oldest first. Approved emails become active immediately."
      back={BACK}
    >
      <Asked asked={asked} label="Loading reviews">
        {({ templateReviews }) =>
          templateReviews.length === 0 ? (
            <Card>
              <Empty title="No reviews pending" icon={IconMailCheck}>
                Submitted emails appear here.
              </Empty>
            </Card>
          ) : (
            <Stack gap="lg" ref={queue}>
              {templateReviews.map(review => (
                <div key={review.submissionId} data-item>
                  <ReviewCard
                    review={review}
                    onDecided={askAgain}
                    onReject={() => setRejected(review)}
                  />
                </div>
              ))}
            </Stack>
          )
        }
      </Asked>
      <Dialog
        opened={rejected !== undefined}
        onClose={() => setRejected(undefined)}
        title={`Reject “${rejected?.templateName ?? ''}”`}
      >
        {rejected && (
          <RejectForm
            review={rejected}
            onDone={() => {
              setRejected(undefined);
              askAgain();
            }}
          />
        )}
      </Dialog>
    </Page>
  );
}

type ReviewCardProps = {
  readonly review: Review;
  readonly onDecided: () => void;
  readonly onReject: () => void;
};

function ReviewCard({ review, onDecided, onReject }: ReviewCardProps) {
  const { submissionId, templateName, organizationName, number, language, subject, body } = review;
  const { run, isRunning } = useAction(APPROVE, { done: `“${templateName}” was approved.` });
  const approve = async () => {
    await run({ input: { submissionId } });
    onDecided();
  };
  return (
    <Card
      title={`${templateName}, version ${number}`}
      actions={
        <>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconX size={16} />}
            aria-keyshortcuts="r"
            onClick={onReject}
          >
            Reject
          </Button>
          <Button
            size="sm"
            aria-keyshortcuts="a"
            leftSection={<IconCheck size={16} />}
            loading={isRunning}
            onClick={() => void approve()}
          >
            Approve
          </Button>
        </>
      }
    >
      <Stack gap="md">
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {organizationName} · {inLanguage(language)} · submitted{' '}
            <When at={review.submittedAt} isInSentence />, due <When at={review.dueAt} isDated />
          </Text>
        </Group>
        <EmailPreview
          preview={{ header: { type: 'TEXT', text: subject, url: null }, body, ...WITHOUT }}
        />
      </Stack>
    </Card>
  );
}

/** The parts of a preview that reviews do not have. */
const WITHOUT = { footer: null, buttons: [], preheader: null, plainText: null, missing: [] };

function RejectForm({ review, onDone }: { readonly review: Review; readonly onDone: () => void }) {
  const [reason, setReason] = useState('');
  const { run, isRunning, refusals } = useAction(REJECT, {
    isFormShowing: true,
    done: `“${review.templateName}” was rejected.`,
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ input: { submissionId: review.submissionId, reason } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['reason']} />
      <Textarea
        label="What to correct"
        description="Shown to the authors."
        required
        data-autofocus
        autosize
        minRows={3}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={refusalAt(refusals, 'reason')}
      />
      <Button type="submit" color="red.9" loading={isRunning}>
        Reject version
      </Button>
    </Stack>
  );
}
