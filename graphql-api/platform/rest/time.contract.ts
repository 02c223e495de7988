import { z } from 'zod';

/** A time in a resource. */
export const time = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });
