import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';

const NAME_CHARACTERS_MAX = 100;
const name = requiredText(NAME_CHARACTERS_MAX);

export const propertyCreateContract = z.strictObject({ name });
export type PropertyCreate = z.output<typeof propertyCreateContract>;

export const propertyUpdateContract = z.strictObject({ id: z.uuid(), name });
export type PropertyUpdate = z.output<typeof propertyUpdateContract>;
