/** The link from a campaign's page back to the list. */
export const TO_CAMPAIGNS = { href: '/campaigns', label: 'Campaigns' };
