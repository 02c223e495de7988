// Global IDs are opaque to clients: base64url of `Type:uuid`. The UUID is the ID that REST returns.

import { reject } from '../rejected.ts';

export type NodeId = { readonly typename: string; readonly id: string };

const INSIDE = /^([A-Z][A-Za-z]{0,63}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** The encoded length of 64 characters, a colon and a UUID. */
const LENGTH_MAX = 136;

export function encodeNodeId(typename: string, id: string): string {
  return Buffer.from(`${typename}:${id}`).toString('base64url');
}

/** Rejects malformed IDs, so that no malformed UUID reaches the database. */
export function decodeNodeId(text: string): NodeId {
  const inside = text.length > LENGTH_MAX ? '' : Buffer.from(text, 'base64url').toString('latin1');
  const match = INSIDE.exec(inside);
  if (match === null) return reject('INVALID_ID');
  const nodeId = { typename: match[1]!, id: match[2]! };
  decoded.add(nodeId);
  return nodeId;
}

/** Returns the UUID in a global ID; rejects an ID of another type. */
export function uuidOf(typename: string, globalId: string): string {
  const found = decodeNodeId(globalId);
  return found.typename === typename ? found.id : reject('INVALID_ID');
}

const decoded = new WeakSet<object>();

/** Whether the value was decoded here. A client's JSON can have the same properties. */
export function isNodeId(value: unknown): value is NodeId {
  return typeof value === 'object' && value !== null && decoded.has(value);
}
