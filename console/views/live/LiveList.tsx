import { IconCheck, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react';
import { inClock, inMoment, inPlainWords } from '../../pieces/in-words.ts';
import { State } from '../../pieces/State.tsx';
import { differingEventTime } from '../../pieces/sent-event/event-time.ts';
import { nameInWords, type Sent, typeInWords } from '../../pieces/sent-event/sent.ts';
import type { NamedCampaign } from '../../pieces/sent-event/use-campaigns.ts';
import { UserLink } from '../../pieces/UserLink.tsx';
import classes from './live.module.css';
import type { LiveRow } from './live-rows.ts';
import { onListHeld } from './on-list-held.ts';

type Campaigns = ReadonlyMap<string, NamedCampaign>;

type LiveListProps = {
  readonly rows: readonly LiveRow[];
  readonly campaigns: Campaigns;
  readonly onOpen: (sent: Sent) => void;
  /** Whether the pointer or the focus is on the list, so that it should not move. */
  readonly onHeld: (isHeld: boolean) => void;
};

const STEPS: Readonly<Record<string, 'previousElementSibling' | 'nextElementSibling'>> = {
  ArrowUp: 'previousElementSibling',
  ArrowDown: 'nextElementSibling',
};

/** One stop for the tab key; the arrows go from row to row. */
export function LiveList({ rows, campaigns, onOpen, onHeld }: LiveListProps) {
  const [stopKey, setStopKey] = useState<number>();
  const stop = rows.some(({ key }) => key === stopKey) ? stopKey : rows[0]?.key;
  const held = useMemo(() => onListHeld(onHeld), [onHeld]);
  // A list that is gone gets no event that the pointer left it.
  useEffect(() => () => onHeld(false), [onHeld]);
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const item = (event.target as Element).closest('li')?.[step];
    item?.querySelector('button')?.focus();
  };
  return (
    <ul className={classes.list} onKeyDown={move} aria-label="Events, newest first" {...held}>
      {rows.map(row => (
        <Row
          key={row.key}
          row={row}
          campaigns={campaigns}
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
  readonly campaigns: Campaigns;
  readonly isStop: boolean;
  readonly onFocus: (key: number) => void;
  readonly onOpen: (sent: Sent) => void;
};

/** Drawn once: an event does not change. Its name is a button that covers the row. */
const Row = memo(function Row({ row, campaigns, isStop, onFocus, onOpen }: RowProps) {
  const { key, sent, isHighlighted } = row;
  const { receivedAt, userId, anonymousId, refusal } = sent;
  const [name, type] = [nameInWords(sent, campaigns), typeInWords(sent)];
  const verdict = refusal ? inPlainWords(refusal.code) : 'Accepted';
  const differing = differingEventTime(sent);
  const eventTime = differing && `event time ${inMoment(differing)}`;
  return (
    <li
      className={[classes.row, refusal && classes.rejected, isHighlighted && classes.highlighted]
        .filter(Boolean)
        .join(' ')}
    >
      <time className={classes.time} dateTime={receivedAt}>
        {inClock(receivedAt)}
      </time>
      <span className={`${classes.what} ${classes.cut}`}>
        <button
          type="button"
          className={classes.open}
          tabIndex={isStop ? 0 : -1}
          onFocus={() => onFocus(key)}
          onClick={() => onOpen(sent)}
          aria-label={[name, type, eventTime, userId ?? anonymousId, verdict]
            .filter(Boolean)
            .join(', ')}
        >
          {name}
        </button>{' '}
        <span className={classes.quiet}>{type}</span>
        {eventTime && <span className={`${classes.eventTime} ${classes.cut}`}>{eventTime}</span>}
      </span>
      <span className={`${classes.who} ${classes.cut}`} ref={span => setStop(span, isStop)}>
        {userId === null ? (
          <span className={classes.quiet}>{anonymousId ?? 'Anonymous'}</span>
        ) : (
          <UserLink userId={userId} />
        )}
      </span>
      <span className={classes.verdict}>
        {refusal ? (
          <span title={refusal.code}>
            <State name={refusal.code} tone="bad" />
          </span>
        ) : (
          <span className={classes.accepted}>
            <IconCheck size={15} aria-hidden /> Accepted
          </span>
        )}
      </span>
      <IconChevronRight className={classes.chevron} size={16} aria-hidden />
    </li>
  );
});

/** Only the links of the current row are stops for the tab key. */
function setStop(span: HTMLElement | null, isStop: boolean): void {
  span?.querySelector('a')?.setAttribute('tabindex', isStop ? '0' : '-1');
}
