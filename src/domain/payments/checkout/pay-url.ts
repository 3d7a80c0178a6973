import type { Secrets } from '../../../kit/secrets.ts';
import { createPageToken, type PageKind, type PageObject } from './page-tokens.ts';

/** What addresses of the customer's pages are made with. */
export type UrlContext = { secrets: Secrets; settings: { publicUrl: string } };

/** The address of one of the customer's pages under `/pay`; every one for the sandbox says so. */
export function payUrl(
  { secrets, settings }: UrlContext,
  kind: PageKind,
  object: PageObject,
  suffix = '',
): string {
  const query = object.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${settings.publicUrl}/pay/${kind}/${createPageToken(secrets, kind, object)}${suffix}${query}`;
}
