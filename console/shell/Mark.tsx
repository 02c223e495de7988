/** The console's sign, as on its tab. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}favicon.svg`} width={size} height={size} alt="" />;
}
