import { Box } from '@mantine/core';
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef } from 'react';
import { CopyCorner } from '../CopyCorner.tsx';
import classes from './json.module.css';
import { jsonLines } from './json-lines.ts';
import { type JsonMark, type MarkedLine, markLine } from './mark-line.ts';

type JsonTextProps = {
  /** The text as sent; it can be truncated or invalid JSON. */
  readonly text: string;
  readonly label: string;
  /** The error and its position. */
  readonly mark?: JsonMark | undefined;
};

/** JSON to read: in lines and colors, with a remark at the line that it is about. */
export function JsonText({ text, label, mark }: JsonTextProps) {
  const lines = useMemo(() => markLine(jsonLines(text), mark), [text, mark]);
  const block = useMarkInView(lines);
  return (
    <Box pos="relative">
      <Box
        ref={block}
        component="pre"
        className={classes.block}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {lines.map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </Box>
      <CopyCorner text={text} label={label} />
    </Box>
  );
}

/** Scrolls only the block, not the page: to the middle of it, so that the lines around are seen too. */
function useMarkInView(lines: readonly MarkedLine[]): RefObject<HTMLPreElement | null> {
  const ref = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const block = ref.current!;
    const mark = block.querySelector('mark');
    if (mark === null) return;
    const downPx = mark.getBoundingClientRect().top - block.getBoundingClientRect().top;
    block.scrollTop += downPx - block.clientHeight / 2;
  }, [lines]);
  return ref;
}

function Line({ line }: { readonly line: MarkedLine }) {
  const { depth, pieces, note, isMissing } = line;
  const style = { '--depth': depth } as CSSProperties;
  const words = pieces.map(({ kind, text }, at) => (
    <span key={at} className={classes[kind]}>
      {text}
    </span>
  ));
  if (note === undefined)
    return (
      <div className={classes.line} style={style}>
        {words}
      </div>
    );
  return (
    <div className={classes.marked}>
      <div className={classes.line} style={style}>
        <mark className={isMissing ? classes.missing : undefined}>{words}</mark>
      </div>
      <div className={classes.note} style={style}>
        <span aria-hidden>↑</span>
        {note}
      </div>
    </div>
  );
}
