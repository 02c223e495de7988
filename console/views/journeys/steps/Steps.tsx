import { Anchor, Box, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import { When } from '../../../pieces/When.tsx';
import { TO_PEOPLE } from '../journey-paths.ts';
import type { Journey, Step } from '../journey-query.ts';
import { peopleInWords } from '../journey-words.ts';
import { Lines } from './Lines.tsx';
import { layoutOf, type PlacedStep, STEP_HEIGHT, STEP_WIDTH } from './layout.ts';
import { inOrder, waysFrom } from './step-order.ts';
import { detailOf, KINDS, nextInWords, titleOf, versionForEntry } from './step-words.ts';
import classes from './steps.module.css';
import { type StepCounts, useStepCounts } from './use-step-counts.ts';

type StepsProps = { readonly journey: Journey; readonly onRefresh: () => void };

/** The steps as a drawing, which is also a numbered list: for screen readers, and on a phone. */
export function Steps({ journey, onRefresh }: StepsProps) {
  const steps = inOrder(journey.nodes);
  const { counts, error, isCounting } = useStepCounts(journey);
  const numbers = new Map(steps.map(({ id }, at) => [id, at + 1]));
  const { steps: placed, lines, width, height } = layoutOf(steps);
  return (
    <Card title="Steps" isFlush>
      {error && (
        <Box px="lg">
          <Problem error={error} onRetry={onRefresh} />
        </Box>
      )}
      <Box className={classes.frame!} tabIndex={0} role="region" aria-label="Steps of the journey">
        <div className={classes.canvas} style={sizes({ width, height })}>
          <Lines lines={lines} width={width} height={height} />
          <ol className={classes.steps}>
            {placed.map(one => (
              <StepBox
                key={one.step.id}
                placed={one}
                numbers={numbers}
                counts={counts}
                isCounting={isCounting}
              />
            ))}
          </ol>
        </div>
      </Box>
      {counts && (
        <Box px="lg" pb="lg">
          <Counted journey={journey} counts={counts} onRefresh={onRefresh} />
        </Box>
      )}
    </Card>
  );
}

/** As properties that the styles can leave out on a phone. */
function sizes(inPx: Readonly<Record<string, number>>): CSSProperties {
  return Object.fromEntries(Object.entries(inPx).map(([name, px]) => [`--${name}`, `${px}px`]));
}

type StepBoxProps = {
  readonly placed: PlacedStep<Step>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly counts: StepCounts | undefined;
  readonly isCounting: boolean;
};

function StepBox({ placed, numbers, counts, isCounting }: StepBoxProps) {
  const { step, x, y } = placed;
  const { label, icon: Icon } = KINDS[step.kind];
  const isOccupied = (counts?.byStep.get(step.id) ?? 0) > 0;
  const title = titleOf(step);
  return (
    <li
      className={`${classes.step} ${isOccupied ? classes.occupied : ''}`}
      style={sizes({ left: x, top: y, width: STEP_WIDTH, height: STEP_HEIGHT })}
    >
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Group gap={6} wrap="nowrap" c="dimmed">
          <Icon size={15} stroke={1.8} />
          <Text size="xs" fw={550}>
            {numbers.get(step.id)}. {label}
          </Text>
        </Group>
        {step.kind !== 'END' && (
          <PeopleHere stepId={step.id} counts={counts} isCounting={isCounting} />
        )}
      </Group>
      {step.template === null ? (
        <Text size="sm" fw={600} truncate title={title}>
          {title}
        </Text>
      ) : (
        <Anchor
          component={Link}
          href={`/templates/${step.template.id}`}
          size="sm"
          fw={600}
          truncate
          title={title}
        >
          {title}
        </Anchor>
      )}
      <Detail step={step} />
      <Text size="xs" className={waysFrom(step).length > 1 ? classes.branches! : classes.then!}>
        {nextInWords(step, numbers)}
      </Text>
    </li>
  );
}

function Detail({ step }: { readonly step: Step }) {
  const detail = detailOf(step);
  if (step.kind !== 'SEND')
    return (
      detail && (
        <Text size="xs" c="dimmed" truncate>
          {detail}
        </Text>
      )
    );
  const version = versionForEntry(step);
  return (
    <Text size="xs" c={version === undefined ? 'var(--mantine-color-error)' : 'dimmed'} truncate>
      {detail} ·{' '}
      {version === undefined
        ? 'no active version'
        : `v${version.number}${version.isFixed ? ', fixed' : ''}`}
    </Text>
  );
}

type PeopleHereProps = {
  readonly stepId: string;
  readonly counts: StepCounts | undefined;
  readonly isCounting: boolean;
};

function PeopleHere({ stepId, counts, isCounting }: PeopleHereProps) {
  if (counts === undefined)
    return isCounting ? (
      <Skeleton width={34} height={16} />
    ) : (
      <Text size="xs" c="dimmed">
        – <VisuallyHidden>people here: unknown</VisuallyHidden>
      </Text>
    );
  const count = counts.byStep.get(stepId) ?? 0;
  const shown = counts.isComplete ? inCount(count) : count === 0 ? '–' : `${inCount(count)}+`;
  return (
    <Group gap={4} wrap="nowrap">
      <IconUsers size={14} aria-hidden />
      {count > 0 ? (
        <Anchor href={TO_PEOPLE} size="sm" fw={700}>
          {shown} <VisuallyHidden>people here</VisuallyHidden>
        </Anchor>
      ) : (
        <Text size="sm">
          {shown} <VisuallyHidden>people here</VisuallyHidden>
        </Text>
      )}
    </Group>
  );
}

type CountedProps = {
  readonly journey: Journey;
  readonly counts: StepCounts;
  readonly onRefresh: () => void;
};

function Counted({ journey, counts, onRefresh }: CountedProps) {
  const known = new Set(journey.nodes.map(({ id }) => id));
  const elsewhere = [...counts.byStep]
    .filter(([id]) => !known.has(id))
    .reduce((sum, [, count]) => sum + count, 0);
  return (
    <Stack gap={4}>
      {journey.definitionNumber > 1 && (
        <Text size="sm" c="dimmed">
          The steps have been changed since the journey was created. People who entered before a
          change finish with the steps they entered with
          {elsewhere > 0 && `; ${peopleInWords(elsewhere)} are at steps that were removed`}.
        </Text>
      )}
      {!counts.isComplete && (
        <Text size="sm" c="dimmed">
          Counted for {inCount(counts.counted)} of {peopleInWords(journey.inFlightCount)} in the
          journey: a step can have more.
        </Text>
      )}
      <Text size="xs" c="dimmed">
        Counted <When at={counts.at} isInSentence />.{' '}
        <Anchor component="button" type="button" inherit onClick={onRefresh}>
          Refresh
        </Anchor>
      </Text>
    </Stack>
  );
}
