// POST /v1/devices/register and /v1/devices/deactivate. Both use one queue, so that consecutive
// requests for one token take effect in their order.

import { changeDevices, type DeviceChange } from '../accept/change-devices.ts';
import { checkContract } from '../accept/check-contract.ts';
import {
  type DeviceDeactivateBody,
  type DeviceRegisterBody,
  deviceDeactivateBody,
  deviceRegisterBody,
} from '../accept/device.contract.ts';
import { normalDeviceToken, possibleDeviceTokens } from '../accept/device-token.ts';
import type { Metrics } from '../observe/metrics.ts';
import { GroupedStatement } from '../postgres/grouped-statement.ts';
import type { ThreadDatabase } from '../postgres/thread-database.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { switchedOffRefusal } from './cell-refusal.ts';
import { postEndpoint, type SdkEndpointDeps, SUCCESS } from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

type DeviceEndpointDeps = SdkEndpointDeps & {
  readonly database: Pick<ThreadDatabase, 'changes'>;
  readonly metrics: Pick<Metrics, 'postgresItems' | 'postgresGroups' | 'postgresSeconds'>;
};

/** A statement of this size takes about 20 ms; larger ones gain little. */
const GROUP_MAX = 500;
/** About a second of work for one thread. Beyond that, clients are better off retrying. */
const WAITING_MAX = 5_000;

export function deviceEndpoints(deps: DeviceEndpointDeps): {
  readonly register: Endpoint;
  readonly deactivate: Endpoint;
} {
  const { metrics } = deps;
  const { changes } = deps.database;
  const queue = new GroupedStatement<DeviceChange, void>({
    client: () => changes.client,
    run: async (client, items) => {
      const { statements } = await changeDevices(client, items);
      metrics.postgresItems.inc({ statement: 'devices' }, items.length);
      metrics.postgresGroups.inc({ statement: 'devices' }, statements);
      return items.map(() => undefined);
    },
    groupMax: GROUP_MAX,
    waitingMax: WAITING_MAX,
    onCommitted: seconds => metrics.postgresSeconds.observe({ statement: 'devices' }, seconds),
  });
  const register = postEndpoint(deps, {
    refusal: switchedOffRefusal,
    work: async (request, body) => {
      const checked = checkContract(deviceRegisterBody, body);
      if ('code' in checked) return checked;
      await queue.add(registrationOf(request, checked.value));
      return SUCCESS;
    },
  });
  const deactivate = postEndpoint(deps, {
    refusal: switchedOffRefusal,
    work: async (request, body) => {
      const checked = checkContract(deviceDeactivateBody, body);
      if ('code' in checked) return checked;
      await queue.add(deactivationOf(request, checked.value));
      return SUCCESS;
    },
  });
  return { register, deactivate };
}

function registrationOf(request: SdkRequest, body: DeviceRegisterBody): DeviceChange {
  return {
    kind: 'register',
    registration: {
      workspaceId: request.account.workspaceId,
      propertyId: request.propertyId,
      token: normalDeviceToken(body.platform, body.device_token),
      platform: body.platform,
      contactId: body.contact_id,
      anonymousId: body.anonymous_id,
      appVersion: body.app_version,
      userAgent: body.user_agent,
      atMs: request.receivedAtMs,
    },
  };
}

function deactivationOf(request: SdkRequest, body: DeviceDeactivateBody): DeviceChange {
  const { device_token: token, platform, reason } = body;
  return {
    kind: 'deactivate',
    deactivation: {
      workspaceId: request.account.workspaceId,
      propertyId: request.propertyId,
      tokens: platform == null ? possibleDeviceTokens(token) : [normalDeviceToken(platform, token)],
      reason,
      atMs: request.receivedAtMs,
    },
  };
}
