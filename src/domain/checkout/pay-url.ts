import type { Mode } from '../../../prisma/client/client.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { type PageKind, pageToken } from './page-tokens.ts';

/** What addresses of the customer's pages are made with. */
export type Linking = { secrets: Secrets; settings: { publicUrl: string } };

/** What such a page is about. */
export type Opened = { id: string; mode: Mode; pageGeneration: number };

/** The address of one of the customer's pages under `/pay`; every one for the sandbox says so. */
export function payUrl({ secrets, settings }: Linking, kind: PageKind, object: Opened, end = ''): string {
  const sandbox = object.mode === 'sandbox' ? '?isSandbox=true' : '';
  return `${settings.publicUrl}/pay/${kind}/${pageToken(secrets, kind, object)}${end}${sandbox}`;
}
