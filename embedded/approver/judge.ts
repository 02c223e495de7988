// Simulates the verdict of a reviewer from visible features of the text.

export type Judgement = {
  readonly status: 'APPROVED' | 'REJECTED';
  readonly reason: string;
  /** Only for a format error, as on the platform. */
  readonly recommendation?: string;
};

const SHORTENERS = /\b(?:bit\.ly|tinyurl\.com|goo\.gl|t\.co|cutt\.ly|is\.gd|ow\.ly)\//i;
const PHISHING = /\b(?:verify your (?:bank|card)|share your (?:pin|cvv|otp|password))\b/i;
const ABUSE = /\b(?:idiots?|stupid|shut up|scum)\b/i;
const PROMOTION = /\b(?:\d+ ?% off|discount|sale|buy now|limited offer)\b/i;
const VARIABLE_AT_AN_END = /^\s*\{\{|\}\}\s*$/;

export function judge({
  body,
  texts,
  category,
}: {
  readonly body: string;
  /** The body and all other texts that a reviewer reads. */
  readonly texts: string;
  readonly category: string;
}): Judgement {
  if (SHORTENERS.test(texts) || PHISHING.test(texts)) return { status: 'REJECTED', reason: 'SCAM' };
  if (ABUSE.test(texts)) return { status: 'REJECTED', reason: 'ABUSIVE_CONTENT' };
  if (VARIABLE_AT_AN_END.test(body)) {
    const recommendation = 'Put text before the first and after the last variable.';
    return { status: 'REJECTED', reason: 'INVALID_FORMAT', recommendation };
  }
  if (category === 'UTILITY' && PROMOTION.test(texts))
    return { status: 'REJECTED', reason: 'INCORRECT_CATEGORY' };
  return { status: 'APPROVED', reason: 'NONE' };
}
