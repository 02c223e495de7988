import type { VersionPinning } from '../templates/deps.ts';
import { pinsByVersions } from './pin.reads.ts';
import { releasePins } from './rollout.force.ts';
import { requestPinCheck } from './rollout.request-pin-check.ts';

/** The hooks through which templates reach the people whom journeys pinned to their versions. */
export const versionPinning: VersionPinning = { requestPinCheck, releasePins, pinsByVersions };
