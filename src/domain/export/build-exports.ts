import type { Export } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { minuteMs } from '../../kit/duration.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Secrets } from '../../kit/secrets.ts';
import { unmarkPayouts } from '../payout/unmark-payouts.ts';
import { buildStep } from './build-step.ts';

/** Who makes a file has it to itself for so long after each page; then another worker takes it on. */
const leaseMs = minuteMs;
/** Then it is the turn of the file of which least is made: nobody waits for somebody else's million. */
const pagesPerTurn = 20;

/**
 * Makes the files that were asked for, page by page, each page in a transaction of its own with where to go on: a
 * worker that is killed loses nothing but its page. Ends at the signal; the next run, here or elsewhere, goes on.
 * Answers how many turns it took.
 */
export async function buildExports(
  service: Db & { secrets: Secrets },
  options: { clock: Clock; signal?: AbortSignal; pagesPerTurn?: number },
): Promise<number> {
  const { clock, signal } = options;
  for (let turns = 0; ; turns++) {
    const row = signal?.aborted ? undefined : await take(service, clock.now());
    if (!row) return turns;
    await build(service, row, { pagesPerTurn, ...options });
  }
}

/** Of those that nobody is making, the one of which least is made; the oldest of these. */
async function take(db: Db, now: Date): Promise<Export | undefined> {
  return transact(db, async ({ tx }) => {
    const [next] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM export WHERE status = 'queued' OR (status = 'running' AND leased_until < ${now})
      ORDER BY rows, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return undefined;
    return tx.export.update({
      where: { id: next.id },
      data: { status: 'running', leasedUntil: new Date(now.getTime() + leaseMs) },
    });
  });
}

async function build(
  service: Db & { secrets: Secrets },
  row: Export,
  options: { clock: Clock; signal?: AbortSignal; pagesPerTurn: number },
): Promise<void> {
  const { clock, signal } = options;
  let current = row;
  try {
    for (let pages = 0; current.status === 'running'; pages++) {
      if (signal?.aborted || pages === options.pagesPerTurn)
        return await release(service, current, clock.now());
      const now = clock.now();
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const next = await buildStep(service, current, { leasedUntil, now });
      // Somebody else has it: the lease ran out meanwhile.
      if (!next) return;
      current = next;
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    await fail(service, current, { reason: error.message, now: clock.now() });
  }
}

/** Whoever goes on need not wait for the lease to end. */
async function release(db: Db, { id, chunkCount }: Export, now: Date): Promise<void> {
  await db.prisma.export.updateMany({
    where: { id, chunkCount, status: 'running' },
    data: { leasedUntil: new Date(now.getTime() - 1) },
  });
}

/** Refunds that stand in no file after all are to be exported still. */
async function fail(db: Db, row: Export, { reason, now }: { reason: string; now: Date }): Promise<void> {
  const { id, chunkCount } = row;
  await transact(db, async ({ tx }) => {
    const { count } = await tx.export.updateMany({
      where: { id, chunkCount, status: 'running' },
      data: { status: 'failed', errorReason: reason, leasedUntil: null, finishedAt: now },
    });
    if (count > 0) await unmarkPayouts(tx, row);
  });
}
