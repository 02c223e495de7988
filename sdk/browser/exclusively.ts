/**
 * Only one tab of the site works at a time, so that two do not send the same events. Without locks
 * (before HTTPS, in old browsers) both may; the service stores them once in any case.
 */
export function exclusively(name: string): <T>(work: () => Promise<T>) => Promise<T> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (locks === undefined) return work => work();
  return work => locks.request(name, work) as ReturnType<typeof work>;
}
