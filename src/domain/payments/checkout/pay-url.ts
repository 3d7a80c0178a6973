import type { Secrets } from '../../../kit/secrets.ts';
import { type PageKind, type PageObject, pageToken } from './page-tokens.ts';

/** What addresses of the customer's pages are made with. */
export type Linking = { secrets: Secrets; settings: { publicUrl: string } };

/** The address of one of the customer's pages under `/pay`; every one for the sandbox says so. */
export function payUrl({ secrets, settings }: Linking, kind: PageKind, object: PageObject, end = ''): string {
  const sandbox = object.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${settings.publicUrl}/pay/${kind}/${pageToken(secrets, kind, object)}${end}${sandbox}`;
}
