// The view's addresses.

export const SEGMENTS = '/segments';
export const NEW_SEGMENT = `${SEGMENTS}/new`;
export const TO_SEGMENTS = { href: SEGMENTS, label: 'Segments' };

export const segmentPath = (id: string) => `${SEGMENTS}/${id}`;
export const editPath = (id: string) => `${SEGMENTS}/${id}/edit`;
