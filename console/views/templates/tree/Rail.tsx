import type { VersionRow } from '../template-query.ts';
import type { LaneRow } from './lanes.ts';
import classes from './tree.module.css';

const LANE_PX = 16;
/** From the top of the row to the middle of its dot, at the first line of text. */
const DOT_PX = 22;

type RailProps = {
  readonly row: LaneRow;
  readonly lanes: number;
  readonly state: VersionRow['state'];
};

/** The lines of the tree next to one version, with the height of its row. */
export function Rail({ row, lanes, state }: RailProps) {
  const { lane, hasLater, hasEarlier, joins, passes } = row;
  return (
    <div className={classes.rail} style={{ width: lanes * LANE_PX }} aria-hidden>
      {passes.map(at => (
        <span key={at} className={classes.line} style={{ left: middleOf(at), top: 0, bottom: 0 }} />
      ))}
      {hasLater && (
        <span className={classes.line} style={{ left: middleOf(lane), top: 0, height: DOT_PX }} />
      )}
      {hasEarlier && (
        <span className={classes.line} style={{ left: middleOf(lane), top: DOT_PX, bottom: 0 }} />
      )}
      {joins.map(from => (
        <svg
          key={from}
          role="presentation"
          className={classes.bend}
          width={lanes * LANE_PX}
          height={DOT_PX}
        >
          <path d={bendOf(middleOf(from), middleOf(lane))} />
        </svg>
      ))}
      <span
        className={classes.dot}
        data-state={state}
        style={{ left: middleOf(lane), top: DOT_PX }}
      />
    </div>
  );
}

function middleOf(lane: number): number {
  return lane * LANE_PX + LANE_PX / 2;
}

function bendOf(fromX: number, toX: number): string {
  return `M ${fromX} 0 C ${fromX} ${DOT_PX}, ${fromX} ${DOT_PX}, ${toX} ${DOT_PX}`;
}
