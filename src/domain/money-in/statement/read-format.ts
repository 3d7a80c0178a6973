import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { detectFormat, type StatementFormat } from '../../../statement/read-statement.ts';
import type { StatementFileKind } from '../../../statement/statement-entry.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';

/**
 * Detects the format of a stored file from its first chunk. `fileKind` is undefined if that chunk does not show it.
 * Error: `invalid_statement` for an unsupported format.
 */
export async function readFormat(
  db: Db,
  upload: Pick<Upload, 'id' | 'size'>,
): Promise<{ format: StatementFormat; fileKind: StatementFileKind | undefined }> {
  for await (const head of readUpload(db, upload)) return detectFormat(head);
  throw new Error(`${upload.id} is empty`);
}
