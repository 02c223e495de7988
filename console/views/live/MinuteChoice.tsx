import { useMemo } from 'react';
import { inCount, inMinute } from '../../pieces/in-words.ts';
import { Choice } from './Choice.tsx';
import type { Minute } from './minutes-of.ts';
import type { Filter } from './use-filter.ts';

type MinuteChoiceProps = {
  readonly minutes: readonly Minute[];
  readonly minute: string;
  readonly onChange: (part: Partial<Filter>) => void;
};

/** The minutes of the chart, for those who cannot click a bar. */
export function MinuteChoice({ minutes, minute, onChange }: MinuteChoiceProps) {
  const options = useMemo(() => optionsOf(minutes, minute), [minutes, minute]);
  return (
    <Choice
      field="minute"
      label="Minute"
      any="Latest"
      data={options}
      value={minute}
      onChange={onChange}
    />
  );
}

function optionsOf(minutes: readonly Minute[], chosen: string) {
  const options = minutes.map(({ startMs, accepted, rejected, isKnown }) => ({
    value: new Date(startMs).toISOString(),
    label: isKnown ? `${inMinute(startMs)} (${inCount(accepted + rejected)})` : inMinute(startMs),
  }));
  const isListed = chosen === '' || options.some(({ value }) => value === chosen);
  const older = isListed ? [] : [{ value: chosen, label: inMinute(Date.parse(chosen)) }];
  return [...options.reverse(), ...older];
}
