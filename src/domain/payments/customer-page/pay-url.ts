import type { Secrets } from '../../../kit/secrets.ts';
import { createPageToken, type PageKind, type PageObject } from './page-tokens.ts';

export type UrlContext = { secrets: Secrets; settings: { publicUrl: string } };

/** Returns the URL of a customer page under `/pay`. Sandbox URLs contain `isSandbox=true`. */
export function getPayUrl<Kind extends PageKind>(
  { secrets, settings }: UrlContext,
  kind: Kind,
  object: PageObject<Kind>,
  suffix = '',
): string {
  const query = object.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${settings.publicUrl}/pay/${kind}/${createPageToken(secrets, kind, object)}${suffix}${query}`;
}
