import { kysely, type RowOf } from '../../platform/database/kysely.ts';
import type { LinkFact, NoticeFact } from '../facts/facts.ts';
import { isLateLink, type LinkState, nextLink } from '../facts/link-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { ownerOf, rememberOrder } from './find-parent.ts';
import { recordEffects } from './record-effects.ts';
import { stateRows } from './state-rows.ts';

export const LINKS = stateRows<LinkState, 'gateway_links'>('gateway_links', {
  status: 'status',
  statusAtMs: 'statusAt',
  cfLinkId: 'cfId',
  linkUrl: 'linkUrl',
  amountPaidMinor: 'amountPaidMinor',
});

export async function applyLink(scope: ApplyScope, fact: LinkFact): Promise<Applied> {
  const link = await lockLink(scope, fact);
  const owner = await ownerOf(scope, link);
  const { cfLinkId, orderId } = fact;
  const linkId = link?.linkId ?? fact.linkId ?? cfLinkId!;
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ link: fact.linkId, cfLink: cfLinkId }) };
  const current = link && LINKS.stateOf(link);
  if (link !== undefined) {
    await LINKS.write(scope, link.id, nextLink(current, fact));
    if (orderId !== undefined) await rememberOrder(scope, orderId, linkId);
    await wakeAwaiting(scope, { link: linkId, cfLink: cfLinkId, order: orderId });
  }
  const isLate = isLateLink(current, fact);
  return recordEffects(scope, { fact, known: { objectId: linkId }, owner, isLate });
}

/** The payer left without paying. */
export async function applyAbandoned(scope: ApplyScope, fact: NoticeFact): Promise<Applied> {
  const { objectId, cfLinkId } = fact;
  const link =
    (await lockLink(scope, { linkId: objectId })) ?? (await lockLink(scope, { cfLinkId }));
  const owner = await ownerOf(scope, link);
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ link: objectId, cfLink: cfLinkId }) };
  return recordEffects(scope, {
    fact,
    known: { objectId: link?.linkId ?? objectId },
    owner,
    isLate: link?.status === 'PAID',
  });
}

/** Locks the row until the end of the transaction. The gateway's ID counts only without ours. */
export async function lockLink(
  { em, accountId }: ApplyScope,
  {
    linkId,
    cfLinkId = null,
  }: { linkId?: string | undefined; cfLinkId?: string | null | undefined },
): Promise<RowOf<'gateway_links'> | undefined> {
  const links = kysely(em).selectFrom('gateway_links').selectAll();
  return links
    .where('accountId', '=', accountId)
    .where(linkId === undefined ? 'cfId' : 'linkId', '=', linkId ?? cfLinkId)
    .forUpdate()
    .executeTakeFirst();
}
