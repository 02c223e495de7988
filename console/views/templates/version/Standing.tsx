import { Alert, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowForwardUp,
  IconClock,
  IconHourglass,
  IconPin,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { When } from '../../../pieces/When.tsx';
import { VERSION_STATES } from '../version-states.ts';
import type { Version } from './version-query.ts';

/** The most important facts about a version, in one sentence each. */
export function Standing({ version }: { readonly version: Version }) {
  const { state, rejectionReason, submission, drainage, pinnedCount, upstreamHealth } = version;
  return (
    <>
      {state === 'REJECTED' && (
        <Note icon={IconAlertTriangle} title="The approver refused it" isBad>
          {rejectionReason === null ? 'No reason was given.' : reasonInWords(rejectionReason)} Begin
          a draft from it, mend that, and submit it.
        </Note>
      )}
      {state === 'SUBMITTED' && submission && (
        <Note
          icon={IconHourglass}
          title={submission.isOverdue ? 'The verdict is overdue' : 'It waits for its verdict'}
        >
          Since <When at={submission.submittedAt} isRelative />, expected by{' '}
          <When at={submission.dueAt} isDated />. {submission.sendingFault ?? ''}
        </Note>
      )}
      {version.isPinnedActive && (
        <Note icon={IconPin} title="Kept by an operator">
          A newer one was approved. New approvals leave this one active until the newest is made so.
        </Note>
      )}
      {drainage === 'DRAINING' && version.releasedToId === null && (
        <Note icon={IconClock} title={`${peopleOf(pinnedCount)} on the way still get it`}>
          The first of them since <When at={version.oldestPinAt} />. Nobody new does.
        </Note>
      )}
      {version.releasedToId !== null && (
        <Note icon={IconArrowForwardUp} title="Its people are moved">
          Who held it gets another version at their next send, since one was forced.
        </Note>
      )}
      {version.forceRollout && (state === 'DRAFT' || state === 'SUBMITTED') && (
        <Note icon={IconArrowForwardUp} title="It moves people on the way">
          Once it is approved, everybody in flight gets it at their next send.
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
            'What held it gets the newest version before it that can be sent.'}
        </Note>
      )}
      {state === 'APPROVED' && <Text size="sm">{VERSION_STATES.APPROVED.about}</Text>}
    </>
  );
}

const HEALTHS = {
  FLAGGED: 'Readers complain about it',
  PAUSED: 'The channel paused it',
  DISABLED: 'The channel disabled it',
} as const;

export function peopleOf(count: number): string {
  return count === 1 ? 'One person' : `${inCount(count)} people`;
}

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
