import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { peekBytes } from '../../../statement/peek-bytes.ts';
import { decompress, detectFormat, type StatementFormat } from '../../../statement/read-statement.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';

/** Enough rows of a CSV file to suggest a mapping. */
const headSize = 512 * 1024;

/**
 * Returns the first bytes of a stored file, decompressed, and its detected format. Error: `invalid_statement` for an
 * unsupported format.
 */
export async function readHeadAndFormat(
  db: Db,
  upload: Pick<Upload, 'id' | 'size'>,
): Promise<{ head: Uint8Array; format: StatementFormat }> {
  const { head, close } = await peekBytes(decompress(readUpload(db, upload)), { size: headSize });
  await close();
  return { head, format: detectFormat(head) };
}
