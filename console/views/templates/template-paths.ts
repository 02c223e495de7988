// The view's addresses.

export const TEMPLATES = '/templates';
export const REVIEWS = `${TEMPLATES}/reviews`;

export type VersionTab = 'message' | 'changes' | 'people' | 'history';

export const templatePath = (id: string) => `${TEMPLATES}/${id}`;

export const versionPath = (id: string, versionId: string, tab: VersionTab = 'message') =>
  `${TEMPLATES}/${id}/${versionId}${tab === 'message' ? '' : `/${tab}`}`;

/** With which other version it is compared. */
export const changesPath = (id: string, versionId: string, otherId: string) =>
  `${versionPath(id, versionId, 'changes')}/${otherId}`;

export const editPath = (id: string, versionId: string) => `${TEMPLATES}/${id}/${versionId}/edit`;
