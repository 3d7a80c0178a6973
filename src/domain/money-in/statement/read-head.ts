import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { detectFormat, type StatementFormat } from '../../../statement/read-statement.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';

/**
 * Returns the first chunk of a stored file and its detected format. Error: `invalid_statement` for an
 * unsupported format.
 */
export async function readHeadAndFormat(
  db: Db,
  upload: Pick<Upload, 'id' | 'size'>,
): Promise<{ head: Uint8Array; format: StatementFormat }> {
  for await (const head of readUpload(db, upload)) return { head, format: detectFormat(head) };
  throw new Error(`${upload.id} is empty`);
}
