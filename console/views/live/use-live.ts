import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient } from 'urql';
import { type Live, LiveGathering, NOTHING_YET } from './gather-live.ts';
import type { LiveCounts, LiveVariables } from './live-document.ts';

type UseLive = {
  /** Others begin with an empty list. */
  readonly variables: LiveVariables;
  readonly isPaused: boolean;
  readonly onCounts: (counts: LiveCounts) => void;
};

/** The live view of the workspace, while the page is open. */
export function useLive({ variables, isPaused, onCounts }: UseLive): Live {
  const client = useClient();
  const [live, setLive] = useState(NOTHING_YET);
  const gathering = useRef<LiveGathering>(undefined);
  const count = useEffectEvent(onCounts);
  const follow = useEffectEvent((one: LiveGathering) => one.setPaused(isPaused));
  useEffect(() => {
    setLive(NOTHING_YET);
    const one = new LiveGathering({ client, variables, onChange: setLive, onCounts: count });
    gathering.current = one;
    follow(one);
    return one.start();
  }, [client, variables]);
  useEffect(() => gathering.current?.setPaused(isPaused), [isPaused]);
  return live;
}
