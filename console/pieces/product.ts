/** The name of the product, in the header and in the titles of the browser. */
export const PRODUCT = 'Engagement';
