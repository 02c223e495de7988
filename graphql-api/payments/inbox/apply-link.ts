import type { LinkFact, NoticeFact } from '../facts/facts.ts';
import { isLateLink, nextLink } from '../facts/link-state.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { awaitedNames, wakeAwaiting } from './awaited.ts';
import { rememberOrder } from './link-orders.ts';
import { readLinkRow, writeLink } from './link-row.ts';
import { ownerOf } from './owner.ts';
import { recordEffects } from './record-effects.ts';

export async function applyLink(scope: ApplyScope, fact: LinkFact): Promise<Applied> {
  const link = await readLinkRow(scope, fact);
  const owner = await ownerOf(scope, link);
  const { cfLinkId, orderId } = fact;
  const linkId = link?.linkId ?? fact.linkId ?? cfLinkId!;
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ link: fact.linkId, cfLink: cfLinkId }) };
  if (link !== undefined) {
    await writeLink(scope, link.id, nextLink(link.state, fact));
    if (orderId !== undefined) await rememberOrder(scope, orderId, linkId);
    await wakeAwaiting(scope, { link: linkId, cfLink: cfLinkId, order: orderId });
  }
  return recordEffects(scope, {
    fact,
    known: { objectId: linkId },
    owner,
    isLate: isLateLink(link?.state, fact),
  });
}

/** The payer left without paying. */
export async function applyAbandoned(scope: ApplyScope, fact: NoticeFact): Promise<Applied> {
  const { objectId, cfLinkId } = fact;
  const link =
    (await readLinkRow(scope, { linkId: objectId })) ?? (await readLinkRow(scope, { cfLinkId }));
  const owner = await ownerOf(scope, link);
  if (owner === undefined)
    return { kind: 'unknown', awaited: awaitedNames({ link: objectId, cfLink: cfLinkId }) };
  return recordEffects(scope, {
    fact,
    known: { objectId: link?.linkId ?? objectId },
    owner,
    isLate: link?.state.status === 'PAID',
  });
}
