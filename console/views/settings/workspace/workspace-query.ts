import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { inDuration } from '../../../pieces/in-words.ts';

export const WORKSPACE = graphql(`
  query WorkspaceSettings {
    workspace {
      id name createdAt inAppDailyMax inAppIntervalSecondsMin
      cell { id region }
    }
  }
`);

export type Workspace = NonNullable<ResultOf<typeof WORKSPACE>['workspace']>;

/** Only whole units, because a cut-off duration would be a different cap. */
export function inIntervalWords(seconds: number): string {
  const unit = [86_400, 3_600, 60].find(one => seconds >= 2 * one);
  return unit !== undefined && seconds % unit === 0 ? inDuration(seconds) : `${seconds} seconds`;
}
