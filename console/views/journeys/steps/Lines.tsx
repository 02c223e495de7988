import { useId } from 'react';
import type { Line } from './layout.ts';
import classes from './steps.module.css';

type LinesProps = {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
};

/** The ways between the steps. Each step's text also names its successors. */
export function Lines({ lines, width, height }: LinesProps) {
  const tip = useId();
  return (
    <svg className={classes.lines} width={width} height={height} aria-hidden="true">
      <defs>
        <marker
          id={tip}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M 0 0 L 8 4 L 0 8 z" className={classes.tip} />
        </marker>
      </defs>
      {lines.map(({ key, path }) => (
        <path key={key} d={path} className={classes.line} markerEnd={`url(#${tip})`} />
      ))}
      {lines.map(({ key, outcomes, label }) =>
        outcomes.length === 0 ? null : (
          <text key={key} x={label.x} y={label.y} className={classes.outcome}>
            {outcomes.join(' or ')}
          </text>
        ),
      )}
    </svg>
  );
}
