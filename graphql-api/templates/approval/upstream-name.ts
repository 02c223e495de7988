/** Of what the platform lets a name have; the rest of it is ours. */
const SLUG_CHARACTERS_MAX = 60;
/** The random end of a submission's id. */
const ID_CHARACTERS = 12;

type Named = {
  readonly templateName: string;
  readonly number: number;
  readonly submissionId: string;
};

/**
 * `order_update_v4_3f9a2c1b77d0`: the approver holds one text under a name, and keeps a deleted name
 * for weeks, so each submission has its own. It says what came of a submission nobody heard of again.
 */
export function upstreamName({ templateName, number, submissionId }: Named): string {
  const slug = templateName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, SLUG_CHARACTERS_MAX);
  return `${slug || 'template'}_v${number}_${submissionId.slice(-ID_CHARACTERS)}`;
}
