import { type UseQueryResponse, useQuery } from 'urql';
import { graphql, type ResultOf } from '../graph/graphql.ts';
import { useRepeat } from './use-repeat.ts';

const NODES = graphql(`
  query IngestNodes {
    ingestNodes { number isAnswering spools { cell bytes oldestUnsentSeconds } }
  }
`);

const ASK_INTERVAL_MS = 10_000;

export type IngestNodes = ResultOf<typeof NODES>['ingestNodes'];

/** The nodes of ingest with their undelivered data, of all tenants; for platform admins. */
export function useIngestNodes(): UseQueryResponse<ResultOf<typeof NODES>> {
  const asked = useQuery({ query: NODES });
  useRepeat(asked[1], ASK_INTERVAL_MS);
  return asked;
}
