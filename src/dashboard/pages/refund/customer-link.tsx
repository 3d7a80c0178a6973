import { CopyText } from '../../components/copy-text.tsx';
import { ShowButton } from '../../components/reauthentication.tsx';
import { useMay } from '../../viewer.ts';

/** The page where the customer enters where the money goes. Null: without the permission, or a recent re-authentication. */
export function CustomerLink({ url, refresh }: { url: string | null; refresh: () => void }) {
  const mayRefund = useMay('refund');
  if (url !== null) return <CopyText text={url} what="the customer’s link" />;
  return mayRefund ? <ShowButton label="Show link" onReauthenticated={refresh} /> : null;
}
