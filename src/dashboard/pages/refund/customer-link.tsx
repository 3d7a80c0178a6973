import { CopyText } from '../../components/copy-text.tsx';
import { ReauthenticateButton } from '../../components/reauthentication-dialog.tsx';
import { useHasPermission } from '../../viewer.ts';

/** The page where the customer enters where the money goes. Null: without the permission, or a recent re-authentication. */
export function CustomerLink({ url, refresh }: { url: string | null; refresh: () => void }) {
  const canRefund = useHasPermission('refund');
  if (url !== null) return <CopyText text={url} label="the customer’s link" />;
  return canRefund ? <ReauthenticateButton label="Show link" onReauthenticated={refresh} /> : null;
}
