import type { Export } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';

/**
 * Returns the URL of a finished file, which requires credentials. Returns null if the file is not finished or
 * has expired.
 */
export function getExportUrl(
  { settings }: { settings: Pick<Service['settings'], 'publicUrl'> },
  row: Pick<Export, 'id' | 'mode' | 'status' | 'expiresAt'>,
  now: Date,
): string | null {
  if (row.status !== 'completed' || row.expiresAt <= now) return null;
  // The dashboard's browser session determines the mode from the URL.
  return `${settings.publicUrl}/exports/${row.id}/file${row.mode === 'sandbox' ? '?mode=sandbox' : ''}`;
}
