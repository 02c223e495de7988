import type { VersionPinning } from '../templates/deps.ts';
import { pinsByVersions } from './pin.reads.ts';
import { releasePins } from './rollout.force.ts';
import { requestPinCheck } from './rollout.request-pin-check.ts';

/** Implements the pinning that templates require, on the snapshots of journeys. */
export const versionPinning: VersionPinning = { requestPinCheck, releasePins, pinsByVersions };
