import type { Statement } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock, MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import { type StatementChange, transitionStatement } from './transition-statement.ts';

/** An import under way in this process. */
export type ImportRun = {
  /** As it was claimed by `holder`. */
  statement: Statement;
  leaseId: string;
  clock: Clock;
  /** Aborted: what is recorded stays so, and the rest waits for whoever claims it next. */
  signal?: AbortSignal | undefined;
  /** Called whenever the row says more. */
  onProgress?: ((statement: Statement) => void) | undefined;
};

/** One reading of the file. */
export type StatementReading = {
  entries: () => AsyncGenerator<StatementEntry>;
  /** Bytes handed out so far. */
  bytes: () => number;
};

/** Moves the statement of a run on, in a transaction of its own. Throws LeaseLost. */
export function transitionRun(
  db: Db,
  { statement, leaseId, clock }: ImportRun,
  to: Statement['status'],
  data: StatementChange['data'] = {},
): Promise<Statement> {
  return transact(db, (uow) => transitionStatement(uow, statement, to, { leaseId, at: clock.now(), data }));
}

/** The merchant's time, as the statement's other times are. */
export async function getMerchantTime(db: Db, { statement, clock }: ImportRun): Promise<MerchantTime> {
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: statement.merchantId } });
  return merchantNow(clock.now(), merchant, statement.mode);
}
