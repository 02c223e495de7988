// What the gateway told a workspace of its money: payments, disputes, settlements, and what happened.

import type { EntityClass, FilterQuery } from '@mikro-orm/postgresql';
import { GatewayDispute } from '../../schema/entities/gateway-dispute.ts';
import { GatewayEffect } from '../../schema/entities/gateway-effect.ts';
import { GatewayPayment } from '../../schema/entities/gateway-payment.ts';
import { GatewaySettlement } from '../../schema/entities/gateway-settlement.ts';
import { workspaceOf } from '../access/permit.ts';
import type { Context } from '../context.ts';
import { type Listed, type Page, type PageRequest, readPage } from './page.ts';

export const gatewayPaymentsPage = pageOf(GatewayPayment);
export const gatewayDisputesPage = pageOf(GatewayDispute);
export const gatewaySettlementsPage = pageOf(GatewaySettlement);
export const gatewayEffectsPage = pageOf(GatewayEffect);

function pageOf<T extends Listed>(entity: EntityClass<T>) {
  return async (context: Context, page: PageRequest): Promise<Page<T>> => {
    const where = { workspaceId: workspaceOf(context.viewer) } as unknown as FilterQuery<T>;
    return readPage(await context.read(), entity, where, page);
  };
}
