import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useState } from 'react';
import { inClock } from '../../pieces/in-words.ts';
import { State } from '../../pieces/State.tsx';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import type { LiveRow } from './gather-live.ts';
import classes from './live.module.css';

type LiveListProps = {
  readonly rows: readonly LiveRow[];
  readonly onOpen: (sent: Sent) => void;
};

const STEPS: Readonly<Record<string, 'previousElementSibling' | 'nextElementSibling'>> = {
  ArrowUp: 'previousElementSibling',
  ArrowDown: 'nextElementSibling',
};

/** One stop for the tab key; the arrows go from row to row. */
export function LiveList({ rows, onOpen }: LiveListProps) {
  const [stopKey, setStopKey] = useState<number>();
  const stop = rows.some(({ key }) => key === stopKey) ? stopKey : rows[0]?.key;
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const item = (event.target as Element).closest('li')?.[step];
    item?.querySelector('button')?.focus();
  };
  return (
    <ul className={classes.list} onKeyDown={move} aria-label="What came in, the newest first">
      {rows.map(row => (
        <Row
          key={row.key}
          row={row}
          isStop={row.key === stop}
          onFocus={setStopKey}
          onOpen={onOpen}
        />
      ))}
    </ul>
  );
}

type RowProps = {
  readonly row: LiveRow;
  readonly isStop: boolean;
  readonly onFocus: (key: number) => void;
  readonly onOpen: (sent: Sent) => void;
};

/** Drawn once: what was sent does not change. */
const Row = memo(function Row({ row: { key, sent }, isStop, onFocus, onOpen }: RowProps) {
  const { receivedAt, type, name, userId, anonymousId } = sent;
  return (
    <li>
      <button
        type="button"
        className={`${classes.row} ${sent.refusal ? classes.rejected : ''}`}
        tabIndex={isStop ? 0 : -1}
        onFocus={() => onFocus(key)}
        onClick={() => onOpen(sent)}
      >
        <time className={classes.time} dateTime={receivedAt}>
          {inClock(receivedAt)}
        </time>
        <span className={`${classes.what} ${classes.cut}`}>
          <span className={classes.name}>{name ?? 'No name'}</span>{' '}
          <span className={classes.quiet}>{type ?? 'no type'}</span>
        </span>
        <span className={`${classes.who} ${classes.cut}`}>
          {userId ?? <span className={classes.quiet}>{anonymousId ?? 'Nobody'}</span>}
        </span>
        <span className={classes.verdict}>
          {sent.refusal ? (
            <State name={sent.refusal.code} label={sent.refusal.code} tone="bad" />
          ) : (
            <span className={classes.accepted}>
              <IconCheck size={15} aria-hidden /> Accepted
            </span>
          )}
        </span>
        <IconChevronRight className={classes.chevron} size={16} aria-hidden />
      </button>
    </li>
  );
});
