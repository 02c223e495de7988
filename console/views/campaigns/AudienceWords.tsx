import { useQuery } from 'urql';
import { SEGMENTS } from '../../pieces/use-segments.ts';
import { audienceInWords } from './campaign-words.ts';

const WITH_ARCHIVED = { includeArchived: true };

/** An audience as people say it, with the names of its segments. */
export function AudienceWords({ audience }: { readonly audience: unknown }) {
  const [{ data }] = useQuery({
    query: SEGMENTS,
    variables: WITH_ARCHIVED,
    pause: !JSON.stringify(audience).includes('"segment_id"'),
  });
  const segments = data?.segments.nodes ?? [];
  return audienceInWords(audience, id => segments.find(one => one.audienceId === id)?.name);
}
