import { StatusBadge } from '../../components/status-badge.tsx';
import type { MerchantRow } from './merchants-query.ts';

/** A merchant that moved away does not run here, whether it is enabled or not. */
export function MerchantStatus({ merchant }: { merchant: Pick<MerchantRow, 'disabledAt' | 'moveStatus'> }) {
  const { disabledAt, moveStatus } = merchant;
  if (moveStatus === 'moved') return <StatusBadge status="merchant_moved" />;
  if (disabledAt !== null) return <StatusBadge status="off" />;
  return <StatusBadge status={moveStatus === null ? 'active' : `merchant_${moveStatus}`} />;
}
