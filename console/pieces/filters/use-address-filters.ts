import { useSearchParams } from 'wouter';

/** The filters of a list, kept in the address, so that a link shows the same list. An empty value removes one. */
export function useAddressFilters() {
  const [params, setParams] = useSearchParams();
  const change = (name: string, value: string | null) =>
    setParams(
      before => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return { params, change, clear: () => setParams({}, { replace: true }) };
}
