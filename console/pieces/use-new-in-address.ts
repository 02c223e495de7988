import { useSearchParams } from 'wouter';

type NewInAddress = {
  readonly isNew: boolean;
  readonly open: () => void;
  readonly close: () => void;
};

/**
 * Whether the address ends in `?new`, with which other pages open the form for a new object. Never for
 * viewers who may not create one.
 */
export function useNewInAddress(mayCreate: boolean): NewInAddress {
  const [params, setParams] = useSearchParams();
  const isNew = mayCreate && params.has('new');
  return {
    isNew,
    open: () => setParams({ new: '' }, { replace: true }),
    close() {
      if (isNew) setParams({}, { replace: true });
    },
  };
}
