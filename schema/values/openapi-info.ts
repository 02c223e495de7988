// Who stands behind both OpenAPI documents.

export const OPENAPI_CONTACT = { name: 'The operators of this installation' };

/** As package.json says: unlicensed. */
export const OPENAPI_LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };
