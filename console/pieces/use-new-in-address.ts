import { navigate, useSearch } from 'wouter/use-browser-location';

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
  const isNew = mayCreate && new URLSearchParams(useSearch()).has(name);
  return {
    isNew,
    open: () => change(params => params.set(name, '')),
    close: () => isNew && change(params => params.delete(name)),
  };
}

/** Keeps the path as the browser has it (the router decodes it) and the page's state. */
function change(by: (params: URLSearchParams) => void): void {
  const params = new URLSearchParams(location.search);
  by(params);
  const search = params.size === 0 ? '' : `?${params}`;
  navigate(`${location.pathname}${search}`, { replace: true, state: history.state });
}
