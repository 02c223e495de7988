/** The way back from a page of one campaign, or of none. */
export const TO_CAMPAIGNS = { href: '/campaigns', label: 'Campaigns' };
