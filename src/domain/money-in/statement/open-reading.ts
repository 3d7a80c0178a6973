import type { ReceivingAccount, Statement } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { toLocalDate } from '../../../kit/time-zone.ts';
import { checkCsvMapping } from '../../../statement/csv-mapping.ts';
import { readStatement } from '../../../statement/read-statement.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';
import type { StatementReading } from './import-run.ts';

/** Opens the stored file of a statement. Throws if the file is no longer stored. */
export async function openReading(
  db: Db,
  statement: Statement,
  account: ReceivingAccount,
): Promise<StatementReading> {
  const { id, uploadId } = statement;
  const upload = uploadId === null ? null : await db.prisma.upload.findUnique({ where: { id: uploadId } });
  if (!upload) throw new Error(`the file of ${id} is no longer stored`);
  return createReading(db, statement, { upload, account });
}

function createReading(
  db: Db,
  { mapping, createdAt }: Statement,
  { upload, account }: { upload: { id: string; size: bigint | null }; account: ReceivingAccount },
): StatementReading {
  const { currency, timeZone } = account;
  const today = toLocalDate(createdAt, timeZone);
  const csv = mapping === null ? undefined : { mapping: checkCsvMapping(mapping), currency, today };
  let bytesRead = 0;
  async function* countBytes() {
    for await (const chunk of readUpload(db, upload)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return {
    readEntries: (listeners) =>
      readStatement(countBytes(), { csv, account: { currency, today }, ...listeners }),
    getBytesRead: () => bytesRead,
  };
}
