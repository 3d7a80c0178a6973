import type { Export } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';

/** Where a finished file is got, with credentials; null while there is none, and once its time is over. */
export function getExportUrl(
  { settings }: { settings: Pick<Service['settings'], 'publicUrl'> },
  row: Pick<Export, 'id' | 'mode' | 'status' | 'expiresAt'>,
  now: Date,
): string | null {
  if (row.status !== 'done' || row.expiresAt <= now) return null;
  // A browser of the dashboard says by the address which mode it shows.
  return `${settings.publicUrl}/exports/${row.id}/file${row.mode === 'sandbox' ? '?mode=sandbox' : ''}`;
}
