import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import type { FetchedTransaction } from '../../../feed/pull/transaction-source.ts';
import type { Clock } from '../../../kit/clock.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { openBankFeed } from './open-bank-feed.ts';
import { receiveFile } from './receive-file.ts';
import { receiveTransactions } from './receive-transactions.ts';
import { checkIsSandbox, createSample } from './simulate-delivery.ts';

/**
 * Simulates a poll that fetches a payment in the sandbox: of the given charge, or of a small amount with a text.
 * `body` replaces the sample. Errors: `bank_feed_not_found`, `charge_not_found`, `sandbox_only`, `invalid_request`.
 */
export async function simulateFetch(
  service: Service,
  options: { feedId: string; chargeId?: string | undefined; body?: string | undefined; clock: Clock },
): Promise<FeedDelivery> {
  const { feedId, clock } = options;
  const open = await openBankFeed(service, feedId);
  checkIsSandbox(open);
  const now = clock.now();
  const sample = await createSample(service, open, { ...options, now });
  if (open.definition.pull?.kind === 'transactions') {
    const transactions = [parseJsonDocument(Buffer.from(sample.body)) as FetchedTransaction];
    const onError = (error: Error) => {
      throw error;
    };
    const [id] = await receiveTransactions(service, open, { transactions, clock, onError });
    if (id === undefined) throw invalidInputError('/body', 'was received before: change its ID');
    return service.prisma.feedDelivery.findUniqueOrThrow({ where: { id } });
  }
  const body = Buffer.from(sample.body);
  const file = { name: sample.path ?? `simulated-${now.getTime()}`, size: body.length, modifiedAt: now };
  async function* read() {
    yield body;
  }
  return receiveFile(service, open, { source: { read }, file, clock });
}
