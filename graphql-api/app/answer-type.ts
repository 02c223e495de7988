const OURS = ['application/graphql-response+json', 'application/json'] as const;

export type AnswerType = (typeof OURS)[number];

/**
 * As yoga chooses it: what is named first counts, whatever its q; JSON where anything will do.
 * Undefined where neither is accepted.
 */
export function answerTypeOf(accept: string = '*/*'): AnswerType | undefined {
  if (accept === '*/*') return 'application/json';
  let chosen: AnswerType | undefined;
  for (const named of accept.replaceAll(/\s/g, '').toLowerCase().split(',').reverse()) {
    const [type = '', ...parameters] = named.split(';');
    const charset = parameters.find(parameter => parameter.includes('charset='));
    if (charset !== undefined && charset !== 'charset=utf-8') continue;
    for (const ours of OURS) if (isOf(ours, type)) chosen = ours;
  }
  return chosen;
}

function isOf(ours: AnswerType, asked: string): boolean {
  const [subtype] = ours.split('/').slice(1);
  const [askedType, askedSubtype] = asked.split('/');
  const isType = askedType === '*' || askedType === 'application';
  return isType && (askedSubtype === '*' || askedSubtype === subtype);
}
