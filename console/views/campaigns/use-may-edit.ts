import { useMay } from '../../session/ViewerProvider.tsx';
import type { Campaign } from './campaign-query.ts';

/** Members change drafts; what people see, owners alone. */
export function useMayEdit({ status }: Pick<Campaign, 'status'>): boolean {
  const isOwner = useMay('OWNER');
  return status === 'DRAFT' || (isOwner && status !== 'ARCHIVED');
}
