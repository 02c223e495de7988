import { Anchor, Select, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { inMoney } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { inInterval } from '../plans/in-interval.ts';
import { type ChosenPlan, SUBSCRIPTION_PLANS } from './subscription-plans.ts';

/** Only these plans accept subscriptions. */
const ACTIVE = 'ACTIVE';
const CONTEXT = { additionalTypenames: ['GatewayPlan'] };

type PlanSelectProps = {
  readonly planId: string | null;
  readonly onChange: (planId: string) => void;
  readonly error: string | undefined;
};

export function PlanSelect({ planId, onChange, error }: PlanSelectProps) {
  const [asked, ask] = useQuery({ query: SUBSCRIPTION_PLANS, context: CONTEXT });
  const { data, fetching } = asked;
  const plans = data?.gatewayPlans.nodes.filter(({ status }) => status === ACTIVE) ?? [];
  return (
    <>
      {asked.error && (
        <Problem error={asked.error} onRetry={() => ask({ requestPolicy: 'network-only' })} />
      )}
      <Select
        label="Plan"
        required
        searchable
        placeholder={fetching && data === undefined ? 'Loading…' : 'Choose a plan'}
        nothingFoundMessage="No matching plans"
        {...(data?.gatewayPlans.pageInfo.hasNextPage && { description: 'The 100 newest plans.' })}
        data={plans.map(plan => ({ value: plan.id, label: labelOf(plan) }))}
        value={planId}
        onChange={chosen => chosen !== null && onChange(chosen)}
        allowDeselect={false}
        error={error}
      />
      {data !== undefined && plans.length === 0 && (
        <Text size="sm" c="dimmed">
          The workspace has no active plan.{' '}
          <Anchor component={Link} href={PAYMENTS.plans} inherit>
            Create a plan
          </Anchor>{' '}
          first.
        </Text>
      )}
    </>
  );
}

function labelOf(plan: ChosenPlan): string {
  const { name, recurringAmount, maxAmount } = plan;
  const { amount, currencyCode } = recurringAmount ?? maxAmount;
  const limit = recurringAmount === null ? 'up to ' : '';
  return `${name}: ${limit}${inMoney(amount, currencyCode)} ${inInterval(plan)}`;
}
