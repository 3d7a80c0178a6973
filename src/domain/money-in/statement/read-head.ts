import type { Upload } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { detectFormat, type StatementFormat } from '../../../statement/read-statement.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';

/** The first chunk of a kept file, and the format it shows. Error: `invalid_statement` for none that we read. */
export async function readHead(
  db: Db,
  upload: Pick<Upload, 'id' | 'size'>,
): Promise<{ head: Uint8Array; format: StatementFormat }> {
  for await (const head of readUpload(db, upload)) return { head, format: detectFormat(head) };
  throw new Error(`${upload.id} is empty`);
}
