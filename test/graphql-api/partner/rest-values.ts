import { decodeNodeId } from '../../../graphql-api/platform/graph/node-id.ts';

export type Json = Record<string, unknown>;

export type Money = { readonly amount: string; readonly currencyCode: string };

export function number(money: unknown): number {
  return Number((money as Money).amount);
}

export function uuid(id: unknown): string {
  return decodeNodeId(String(id)).id;
}
