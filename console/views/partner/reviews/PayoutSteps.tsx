import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { inCount, inMoney } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { ReasonForm } from '../ReasonForm.tsx';
import { ADVANCE, type PlatformPayout, STEPS, type Step } from './payout-steps.ts';
import { SendToBank } from './SendToBank.tsx';

type PayoutStepsProps = {
  readonly rows: readonly PlatformPayout[];
  readonly isInRow?: boolean;
  readonly onDone: () => void;
};

/**
 * The steps that are allowed for all selected payouts. Each payment of the bank has a reference of
 * its own.
 */
export function PayoutSteps({ rows, isInRow = false, onDone }: PayoutStepsProps) {
  const steps = STEPS.filter(
    ({ from, to }) =>
      rows.every(({ status }) => status === from) && (to !== 'PAID' || rows.length === 1),
  );
  if (steps.length === 0)
    return isInRow ? null : (
      <Text size="sm" c="dimmed">
        {rows.length === 1
          ? 'This state is final.'
          : 'Select payouts in the same state. Mark payouts as paid one at a time, with the bank reference.'}
      </Text>
    );
  const buttons = steps.map(step => (
    <StepButton key={step.to} step={step} rows={rows} isInRow={isInRow} onDone={onDone} />
  ));
  return isInRow ? <Group gap={4}>{buttons}</Group> : buttons;
}

/** Also after a refusal: another admin may have decided. */
const PAYOUTS = ['Payout'];

type StepProps = PayoutStepsProps & { readonly step: Step };

function StepButton({ step, rows, isInRow = false, onDone }: StepProps) {
  const title = `${step.verb}: ${wordsFor(rows)}`;
  const open = () => {
    const close = () => modals.close(modalId);
    const modalId = modals.open({
      title,
      children: <StepForm step={step} rows={rows} onDone={onDone} onClose={close} />,
    });
  };
  return (
    <Button
      size={isInRow ? 'compact-xs' : 'xs'}
      onClick={open}
      variant={step.isBad || isInRow ? 'default' : 'filled'}
      aria-keyshortcuts={step.isBad ? 'r' : 'a'}
      {...(isInRow && { 'aria-label': title })}
    >
      {step.verb}
    </Button>
  );
}

type StepFormProps = Omit<StepProps, 'isInRow'> & { readonly onClose: () => void };

function StepForm({ step, rows, onDone, onClose }: StepFormProps) {
  const { to, verb, isBad = false, text } = step;
  const { run, isRunning, refusals } = useAction(ADVANCE, {
    isFormShowing: true,
    done: `${wordsFor(rows)} ${rows.length === 1 ? 'was' : 'were'} ${step.done}`,
    changes: PAYOUTS,
  });
  const advance = async (said?: string) => {
    const payouts = rows.map(({ id }) => ({ id, to, ...(text && { [text.name]: said }) }));
    if (!(await run({ payouts }))) return;
    onClose();
    onDone();
  };
  const action = { confirm: verb, isRunning, refusals };
  if (text === undefined)
    return (
      <SendToBank {...action} payouts={rows} onConfirm={() => void advance()} onCancel={onClose} />
    );
  return (
    <ReasonForm
      {...action}
      label={text.label}
      description={text.description}
      isFriendly={!isBad}
      onSubmit={advance}
    />
  );
}

function wordsFor(rows: readonly PlatformPayout[]): string {
  const [first] = rows;
  if (first === undefined || rows.length > 1) return `${inCount(rows.length)} payouts`;
  return `${inMoney(first.net.amount, first.net.currencyCode)} for ${first.organizationName}`;
}
