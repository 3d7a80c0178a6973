import { expect } from 'vitest';
import type { BankFeed, Charge } from '../../prisma/client/client.ts';
import { claimPoll, pollBankFeed } from '../../src/domain/money-in/feed/poll-bank-feed.ts';
import { processDeliveries } from '../../src/domain/money-in/feed/process-deliveries.ts';
import { startImporter } from '../../src/domain/money-in/statement/import/start-importer.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import type { FeedSampleInput } from '../../src/feed/feed-definition.ts';
import { createSampleStatement } from '../../src/feed/pull/sample-statement.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { toDecimal } from '../../src/kit/money.ts';
import type { FakeClock } from './fake-clock.ts';

/** The input of a charge in a currency of the bank feeds under test. */
export const vndCharge = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 } as never;

const onError = (error: Error) => expect.unreachable(error.stack);

/** Polls the feeds that are due at the time of the clock, once each, and returns their number. */
export async function pollDueFeeds(service: Service, clock: Clock): Promise<number> {
  for (let count = 0; ; count++) {
    const claim = await claimPoll(service, clock.now());
    if (!claim) return count;
    await pollBankFeed(service, claim, { clock, signal: new AbortController().signal, onError });
  }
}

/** Polls a feed now, twice, so that files that do not change are complete. */
export async function pollTwice(service: Service, clock: FakeClock): Promise<void> {
  for (let i = 0; i < 2; i++) {
    clock.advance(61 * minuteMs);
    await pollDueFeeds(service, clock);
  }
}

/** Imports the fetched files, and records the outcome of their deliveries. */
export async function finishImports(service: Service, clock: FakeClock): Promise<void> {
  const importer = startImporter(service, { clock, onError });
  const isPending = { status: { in: ['queued' as const, 'running' as const] } };
  await importer.startDue();
  await expect.poll(() => service.prisma.statement.count({ where: isPending })).toBe(0);
  await importer.stop();
  clock.advance(minuteMs);
  await processDeliveries(service, { now: clock.now(), onError });
}

export function readFeed(service: Service, { id }: Pick<BankFeed, 'id'>): Promise<BankFeed> {
  return service.prisma.bankFeed.findUniqueOrThrow({ where: { id } });
}

/** Returns a camt.053 statement in which the bank reports the payment of a charge, in full by default. */
export function reportInStatement(
  charge: Pick<Charge, 'customerAmount' | 'customerCurrency' | 'paymentReference'>,
  changes: Partial<FeedSampleInput> & Pick<FeedSampleInput, 'account' | 'paidAt'>,
): string {
  const currency = charge.customerCurrency;
  return createSampleStatement({
    id: '1',
    amount: toDecimal({ minor: charge.customerAmount, currency }),
    currency,
    reference: `payment ${charge.paymentReference}`,
    payerName: 'NGUYEN VAN A',
    ...changes,
  }).body;
}
