/** Whether the Accept-Encoding allows the encoding; `br;q=0` refuses it.
 * https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding */
export function accepts(header: string, token: string): boolean {
  return header.split(',').some(part => {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === token && !parameters.some(one => /^q=0(?:\.0*)?$/.test(one));
  });
}
