import { reject } from '../rejected.ts';

export type EventType = 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias';

export type EventFilter = {
  readonly types?: readonly EventType[] | null | undefined;
  readonly names?: readonly string[] | null | undefined;
  readonly userId?: string | null | undefined;
  readonly anonymousId?: string | null | undefined;
  readonly messageId?: string | null | undefined;
};

const NAMES_MAX = 50;
/** The limit of ingest. */
const CHARACTERS_MAX = 512;

/** Conditions on `events` and their parameters. Values from clients are never part of a statement. */
export function eventConditions(filter: EventFilter): {
  readonly conditions: string;
  readonly parameters: Readonly<Record<string, unknown>>;
} {
  const { types, names, userId, anonymousId, messageId } = filter;
  if ((names?.length ?? 0) > NAMES_MAX)
    return reject('BAD_USER_INPUT', {
      field: ['filter', 'names'],
      message: `names must have at most ${NAMES_MAX} items.`,
    });
  for (const text of [...(names ?? []), userId, anonymousId, messageId]) requireText(text);
  const conditions = [
    types && 'AND type IN {types:Array(String)}',
    names && `AND if(event != '', event, name) IN {names:Array(String)}`,
    userId != null && 'AND user_id = {userId:String}',
    anonymousId != null && 'AND anonymous_id = {anonymousId:String}',
    messageId != null && 'AND message_id = {messageId:String}',
  ].filter(Boolean);
  return {
    conditions: conditions.join('\n'),
    parameters: { types, names, userId, anonymousId, messageId },
  };
}

/** Rejects a filter that could not match any stored value. */
export function requireText(text: string | null | undefined): void {
  if (text == null) return;
  const isStorable =
    text.isWellFormed() && !text.includes('\0') && text.length <= CHARACTERS_MAX * 2;
  if (!isStorable)
    reject('BAD_USER_INPUT', {
      message: `A filter must be valid text of at most ${CHARACTERS_MAX} characters.`,
    });
}
