import { useSearchParams } from 'wouter';

type NewInAddress = {
  readonly isNew: boolean;
  readonly open: () => void;
  readonly close: () => void;
};

/**
 * Whether the address has `?new`, with which other pages open the form for a new object. Never for
 * viewers who may not create one.
 */
export function useNewInAddress(mayCreate: boolean, name = 'new'): NewInAddress {
  const [params, setParams] = useSearchParams();
  const isNew = mayCreate && params.has(name);
  return {
    isNew,
    open: () => setParams(before => [...before, [name, '']], { replace: true }),
    close() {
      if (isNew)
        setParams(before => [...before].filter(([other]) => other !== name), { replace: true });
    },
  };
}
