import { CopyText } from '../../parts/copy-text.tsx';
import { ShowButton } from '../../parts/second-factor-proof.tsx';
import { useMayDirectRefunds } from '../../viewer.ts';

/** The page where the customer tells where the money goes. Null: not for whom it is shown to, or not yet. */
export function CustomerLink({ url, refresh }: { url: string | null; refresh: () => void }) {
  const mayDirect = useMayDirectRefunds();
  if (url !== null) return <CopyText text={url} what="the customer’s link" />;
  return mayDirect ? <ShowButton label="Show the link" onProved={refresh} /> : null;
}
