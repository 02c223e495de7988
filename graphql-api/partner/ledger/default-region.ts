/** Of an organisation that nobody put anywhere else; partner_profiles has the same default. */
export const DEFAULT_REGION = 'INDIA';
