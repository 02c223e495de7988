import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { inCount } from './in-words.ts';

/** Without archived ones all of the workspace, which has at most 50. */
export const SEGMENTS = graphql(`
  query SegmentChoices($includeArchived: Boolean!) {
    segments(first: 100, includeArchived: $includeArchived) {
      nodes { id audienceId name memberCount evaluatedAt archivedAt }
    }
  }
`);

type Segment = ResultOf<typeof SEGMENTS>['segments']['nodes'][number];

const NOT_ARCHIVED = { includeArchived: false };
const WITH_ARCHIVED = { includeArchived: true };

/** The segments to choose from: also an archived one if it is chosen. */
export function useSegments(key: 'id' | 'audienceId', chosen: string) {
  const [{ data, error, fetching }, ask] = useQuery({ query: SEGMENTS, variables: NOT_ARCHIVED });
  const listed = data?.segments.nodes;
  const isChosen = (segment: Segment) => segment[key] === chosen;
  const isMissing = chosen !== '' && listed !== undefined && !listed.some(isChosen);
  const [archived] = useQuery({ query: SEGMENTS, variables: WITH_ARCHIVED, pause: !isMissing });
  const missing = isMissing ? (archived.data?.segments.nodes ?? []).find(isChosen) : undefined;
  return {
    /** Undefined until they are read. */
    segments: listed && missing ? [...listed, missing] : listed,
    error,
    fetching,
    retry: () => ask({ requestPolicy: 'network-only' }),
  };
}

export function sizeInWords({ archivedAt, evaluatedAt, memberCount }: Segment): string {
  if (archivedAt !== null) return 'archived';
  return evaluatedAt === null ? 'not counted yet' : `${inCount(memberCount)} people`;
}
