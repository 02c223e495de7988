import { Alert, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconClock,
  IconHourglass,
  IconPin,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { When } from '../../../pieces/When.tsx';
import { peopleOf } from '../people-of.ts';
import type { Version } from '../version-query.ts';
import { VERSION_STATES } from '../version-states.ts';

/** The most important facts about a version, in one sentence each. */
export function Standing({ version }: { readonly version: Version }) {
  const { state, rejectionReason, submission, drainage, pinnedCount, upstreamHealth } = version;
  return (
    <>
      {state === 'REJECTED' && (
        <Note icon={IconAlertTriangle} title="Rejected by the approver" isBad>
          {rejectionReason === null ? 'No reason was given.' : reasonInWords(rejectionReason)}{' '}
          Duplicate it as a draft, correct that, and submit it.
        </Note>
      )}
      {state === 'SUBMITTED' && submission && (
        <Note
          icon={IconHourglass}
          title={submission.isOverdue ? 'The review is overdue' : 'In review'}
        >
          Since <When at={submission.submittedAt} isInSentence />, expected by{' '}
          <When at={submission.dueAt} isDated />. {submission.sendingFault ?? ''}
        </Note>
      )}
      {version.isPinnedActive && (
        <Note icon={IconPin} title="Kept active by an operator">
          A newer version was approved. This version stays active until an operator activates
          another one.
        </Note>
      )}
      {drainage === 'DRAINING' && version.releasedToId === null && (
        <Note
          icon={IconClock}
          title={`${peopleOf(pinnedCount)} in flight still ${pinnedCount === 1 ? 'receives' : 'receive'} this version`}
        >
          The first one entered <When at={version.oldestPinAt} />. No new people receive it.
        </Note>
      )}
      {version.releasedToId !== null && (
        <Note icon={IconArrowForwardUp} title="People moved to another version">
          People pinned to this version receive another one at their next send, because of a forced
          rollout.
        </Note>
      )}
      {version.forceRollout && (state === 'DRAFT' || state === 'SUBMITTED') && (
        <Note icon={IconArrowForwardUp} title="Forced rollout">
          Once it is approved, all people in flight receive it at their next send.
        </Note>
      )}
      {upstreamHealth !== 'OK' && (
        <Note icon={IconAlertTriangle} title={HEALTHS[upstreamHealth]} isBad>
          {version.healthUntil !== null && (
            <>
              Until <When at={version.healthUntil} />.{' '}
            </>
          )}
          {!version.isSendable &&
            'People pinned to it receive the newest earlier version that can be sent.'}
        </Note>
      )}
      {state === 'APPROVED' && <Text size="sm">{VERSION_STATES.APPROVED.about}</Text>}
    </>
  );
}

const HEALTHS = {
  FLAGGED: 'Flagged by the channel after complaints',
  PAUSED: 'Paused by the channel',
  DISABLED: 'Disabled by the channel',
} as const;

/** The reason of an approver can be a code or a sentence. */
function reasonInWords(reason: string): string {
  const words = /^[A-Z_]+$/.test(reason) ? inPlainWords(reason) : reason;
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

type NoteProps = {
  readonly icon: ComponentType<{ size?: number }>;
  readonly title: string;
  readonly isBad?: boolean;
  readonly children: ReactNode;
};

function Note({ icon: Icon, title, isBad = false, children }: NoteProps) {
  return (
    <Alert
      variant={isBad ? 'outline' : 'default'}
      {...(isBad && { color: 'red' })}
      icon={<Icon size={20} />}
      title={title}
      p="sm"
    >
      {children}
    </Alert>
  );
}
