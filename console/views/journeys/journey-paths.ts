// The view's addresses.

export const JOURNEYS = '/journeys';
export const NEW_JOURNEY = `${JOURNEYS}/new`;
export const TO_JOURNEYS = { href: JOURNEYS, label: 'Journeys' };

export const journeyPath = (id: string) => `${JOURNEYS}/${id}`;
export const editPath = (id: string) => `${JOURNEYS}/${id}/edit`;
