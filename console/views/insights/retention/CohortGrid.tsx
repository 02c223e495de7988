import { Box, Text } from '@mantine/core';
import { inCount, inDayOfYear, inPercent } from '../../../pieces/in-words.ts';
import classes from './cohort-grid.module.css';
import type { Cohort } from './retention-query.ts';

type CohortGridProps = {
  readonly cohorts: readonly Cohort[];
  /** Of a period, such as "Week". */
  readonly word: string;
  readonly isPeriodOver: (at: number) => boolean;
};

/** A row for the people of each period, with a column for each period since. */
export function CohortGrid({ cohorts, word, isPeriodOver }: CohortGridProps) {
  const label = `People who returned, by ${word.toLowerCase()}`;
  const hasOpen = !isPeriodOver(cohorts.length - 1);
  return (
    <>
      <Box className={classes.frame!} tabIndex={0} role="group" aria-label={label}>
        <table className={classes.grid} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">People</th>
              {cohorts.map((_, since) => (
                <th key={since} scope="col">
                  {word} {since}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map(({ start, people, returned }, at) => (
              <tr key={start}>
                <th scope="row">{inDayOfYear(start)}</th>
                <td>{inCount(people)}</td>
                {returned.map((count, since) => (
                  <Share
                    key={since}
                    part={count}
                    whole={people}
                    isOver={isPeriodOver(at + since)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {hasOpen && (
        <Text size="xs" c="dimmed" px="lg" py="sm">
          * This {word.toLowerCase()} isn’t over yet, so more people may return. It is excluded from
          the chart.
        </Text>
      )}
    </>
  );
}

type ShareProps = { readonly part: number; readonly whole: number; readonly isOver: boolean };

/** The darker, the more; at most so dark that the number can be read. */
const TINT_MAX = 40;

function Share({ part, whole, isOver }: ShareProps) {
  if (whole === 0) return <td>–</td>;
  const tint = Math.round((part / whole) * TINT_MAX);
  return (
    <td
      style={{
        background: `color-mix(in srgb, light-dark(#3a51cc, #8ea2ff) ${tint}%, transparent)`,
      }}
    >
      {inPercent(part / whole)}
      {!isOver && '*'}
    </td>
  );
}
