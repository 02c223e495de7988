// The entry of the package for Node.

import { ServerClient } from './client.ts';
import type { NodeClient, NodeClientOptions } from './types.ts';

export type { Device, DeviceReason } from '../core/device.ts';
export type { Properties } from '../core/event.ts';
export type { ClientProblem, OnProblem } from '../core/problem.ts';
export type { EventOptions, NodeClient, NodeClientOptions, Person } from './types.ts';

export function createClient(options: NodeClientOptions): NodeClient {
  return new ServerClient(options);
}
