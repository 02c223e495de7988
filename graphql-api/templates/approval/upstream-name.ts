/** Within the platform's limit, minus the rest of the name. */
const SLUG_CHARACTERS_MAX = 60;
/** Taken from the end of the submission's ID, which is random. */
const ID_CHARACTERS = 12;

type Named = {
  readonly templateName: string;
  readonly number: number;
  readonly submissionId: string;
};

/**
 * Returns a name such as `order_update_v4_3f9a2c1b77d0`. The approver stores one text per name
 * and reserves a deleted name for weeks, so each submission has its own name. A submission whose
 * response was lost is looked up by it.
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
