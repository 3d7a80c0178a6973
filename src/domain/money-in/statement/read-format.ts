import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { peekBytes } from '../../../statement/peek-bytes.ts';
import { decompress, detectFormat, type StatementFormat } from '../../../statement/read-statement.ts';
import type { StatementFileKind } from '../../../statement/statement-entry.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';

const headSize = 4096;

/**
 * Detects the format of a stored file from its first bytes, decompressed. `fileKind` is undefined if the
 * first bytes do not determine the kind. Error: `invalid_statement` for an unsupported format.
 */
export async function readFormat(
  db: Db,
  upload: Pick<Upload, 'id' | 'size'>,
): Promise<{ format: StatementFormat; fileKind: StatementFileKind | undefined }> {
  const { head, close } = await peekBytes(decompress(readUpload(db, upload)), { size: headSize });
  await close();
  return detectFormat(head);
}
