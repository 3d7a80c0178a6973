import type { Statement } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock, MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import { type StatementChange, transitionStatement } from './transition-statement.ts';

/** An import in progress in this process. */
export type ImportRun = {
  /** As claimed under `leaseId`. */
  statement: Statement;
  leaseId: string;
  clock: Clock;
  /** If aborted, recorded entries stay recorded, and the next process that claims the statement resumes it. */
  signal?: AbortSignal | undefined;
  /** Called after each update of the row. */
  onProgress?: ((statement: Statement) => void) | undefined;
};

/** One pass over the file. */
export type StatementReading = {
  entries: () => AsyncGenerator<StatementEntry>;
  /** Bytes read so far. */
  bytes: () => number;
};

/** Transitions the statement in its own transaction. Throws `LeaseLost`. */
export function transitionRun(
  db: Db,
  { statement, leaseId, clock }: ImportRun,
  to: Statement['status'],
  data: StatementChange['data'] = {},
): Promise<Statement> {
  return transact(db, (uow) => transitionStatement(uow, statement, to, { leaseId, at: clock.now(), data }));
}

/** Returns the merchant's time, which all times of a statement use. */
export async function getMerchantTime(db: Db, { statement, clock }: ImportRun): Promise<MerchantTime> {
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: statement.merchantId } });
  return merchantNow(clock.now(), merchant, statement.mode);
}
