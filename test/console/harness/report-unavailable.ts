/** The API's answer to a query of these fields while the warehouse does not answer reports. */
export function reportUnavailable(...fields: readonly string[]) {
  const extensions = { code: 'UNAVAILABLE', reason: 'REPORT_UNAVAILABLE', retryAfterSeconds: 5 };
  return {
    data: Object.fromEntries(fields.map(field => [field, null])),
    errors: fields.map(field => ({ message: 'Not available', path: [field], extensions })),
  };
}
