// Global ids are opaque to clients: base64url of `Type:uuid`. The UUID inside is the id that REST
// shows, so one can be had from the other by support, not by clients.

import { reject } from '../rejected.ts';

export type NodeId = { readonly typename: string; readonly id: string };

const INSIDE = /^([A-Z][A-Za-z]{0,63}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
/** Of 64 characters, a colon and a UUID; nothing longer is worth decoding. */
const LENGTH_MAX = 136;

export function encodeNodeId(typename: string, id: string): string {
  return Buffer.from(`${typename}:${id}`).toString('base64url');
}

/** Refuses what was not made here, so that no malformed UUID ever reaches the database. */
export function decodeNodeId(text: string): NodeId {
  const inside = text.length > LENGTH_MAX ? '' : Buffer.from(text, 'base64url').toString('latin1');
  const match = INSIDE.exec(inside);
  if (match === null) return reject('INVALID_ID');
  const nodeId = { typename: match[1]!, id: match[2]! };
  decoded.add(nodeId);
  return nodeId;
}

/** The UUID in a global id of that type; refuses an id of another type. */
export function uuidOf(typename: string, globalId: string): string {
  const found = decodeNodeId(globalId);
  return found.typename === typename ? found.id : reject('INVALID_ID');
}

const decoded = new WeakSet<object>();

/** Whether it was decoded here: a client's JSON may have the same names. */
export function isNodeId(value: unknown): value is NodeId {
  return typeof value === 'object' && value !== null && decoded.has(value);
}
