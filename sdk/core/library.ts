/** As in sdk/package.json. */
export const LIBRARY = { name: 'engagement-client', version: '0.1.0' } as const;
