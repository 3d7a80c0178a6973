import { CopyText } from '../../components/copy-text.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { t } from '../../language/texts.ts';
import { useHasPermission } from '../../viewer.ts';

/**
 * Shows the link to the page on which the customer enters payout details. `url` is null without the permission
 * `refund` or without a recent re-authentication.
 */
export function CustomerLink({ url, refresh }: { url: string | null; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  if (url !== null) return <CopyText text={url} label={t.components.copyUrl} />;
  return canRefund ? <ReauthenticateButton label={t.refund.showLink} onReauthenticated={refresh} /> : null;
}
