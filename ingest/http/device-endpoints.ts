// POST /v1/devices/register and /v1/devices/deactivate. Both ask for the same kind of change, so that
// consecutive requests for one token take effect in their order.

import type { DeviceChange } from '../accept/change-devices.ts';
import { checkContract } from '../accept/check-contract.ts';
import {
  type DeviceDeactivateBody,
  type DeviceRegisterBody,
  deviceDeactivateBody,
  deviceRegisterBody,
} from '../accept/device.contract.ts';
import { normalDeviceToken, possibleDeviceTokens } from '../accept/device-token.ts';
import type { ThreadDatabase } from '../postgres/thread-database.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { switchedOffRefusal } from './cell-refusal.ts';
import { postEndpoint, type SdkEndpointDeps, SUCCESS } from './sdk-endpoint.ts';
import type { Endpoint } from './server.ts';

type DeviceEndpointDeps = SdkEndpointDeps & {
  readonly database: Pick<ThreadDatabase, 'ask'>;
};

export function deviceEndpoints(deps: DeviceEndpointDeps): {
  readonly register: Endpoint;
  readonly deactivate: Endpoint;
} {
  const { database } = deps;
  const register = postEndpoint(deps, {
    refusal: switchedOffRefusal,
    work: async (request, body) => {
      const checked = checkContract(deviceRegisterBody, body);
      if ('code' in checked) return checked;
      await database.ask('devices', registrationOf(request, checked.value));
      return SUCCESS;
    },
  });
  const deactivate = postEndpoint(deps, {
    refusal: switchedOffRefusal,
    work: async (request, body) => {
      const checked = checkContract(deviceDeactivateBody, body);
      if ('code' in checked) return checked;
      await database.ask('devices', deactivationOf(request, checked.value));
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
