// Contact and license of both OpenAPI documents.

export const OPENAPI_CONTACT = { name: 'The operators of this installation' };

/** Unlicensed, as in package.json. */
export const OPENAPI_LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };
