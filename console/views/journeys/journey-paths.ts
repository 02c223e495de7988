// The view's addresses.

export const JOURNEYS = '/journeys';
export const NEW_JOURNEY = `${JOURNEYS}/new`;
export const TO_JOURNEYS = { href: JOURNEYS, label: 'Journeys' };

/** The list of people on the page of a journey. */
export const PEOPLE_ID = 'people';
export const TO_PEOPLE = `#${PEOPLE_ID}`;

export const journeyPath = (id: string) => `${JOURNEYS}/${id}`;
export const editPath = (id: string) => `${JOURNEYS}/${id}/edit`;

/** The form, with what prevents a start at its field: of a step, or with the code of a refusal. */
export const faultPath = (id: string, field: string, of = '') =>
  `${editPath(id)}?${new URLSearchParams({ at: field, of }).toString()}`;
