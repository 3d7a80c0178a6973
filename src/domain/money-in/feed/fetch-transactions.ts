import { callBankApi } from '../../../feed/json-client.ts';
import { type FetchedTransaction, throwIfAborted } from '../../../feed/pull/transaction-source.ts';
import { transactionSources } from '../../../feed/pull/transaction-sources.ts';
import { dayMs } from '../../../kit/duration.ts';
import type { Service } from '../../platform/service.ts';
import { decryptFeedCredentials, type OpenBankFeed } from './open-bank-feed.ts';
import type { PollOutcome, PollRun } from './poll-run.ts';
import { receiveTransactions } from './receive-transactions.ts';

/** Banks report some transactions days late, so each window repeats the end of the previous one. */
const overlapMs = 3 * dayMs;
/** The longest window that all APIs accept. After a longer interruption, several polls follow. */
const windowMaxMs = 28 * dayMs;
const batchSize = 100;
/** Large enough for all transactions of a busy account in a window. */
const responseBytesMax = 32 * 1024 * 1024;

/** Fetches the transactions since the last successful poll, and stores and records those that are new. */
export async function fetchTransactions(
  service: Service,
  open: OpenBankFeed,
  run: PollRun,
): Promise<PollOutcome> {
  const { feed, settings, accounts } = open;
  const source = transactionSources[feed.kind];
  if (!source) throw new Error(`No transactions can be fetched for the feed ${feed.kind}`);
  const start = feed.fetchedUntil ?? feed.createdAt;
  const from = new Date(start.getTime() - overlapMs);
  const to = new Date(Math.min(run.startedAt.getTime(), from.getTime() + windowMaxMs));
  const { allowPrivateTargets } = service.settings;
  const transactions = source.read({
    url: settings.apiUrl ?? source.urls[feed.mode],
    isSandbox: feed.mode === 'sandbox',
    providerAccountId: settings.pull?.providerAccountId ?? '',
    credentials: await decryptFeedCredentials(service.secrets, feed),
    accounts: accounts.map(({ bankAccount, receivingAccount: { account, currency } }) => ({
      bankAccount: bankAccount ?? account,
      currency,
    })),
    from,
    to,
    signal: run.signal,
    call: (call) => callBankApi(call, { allowPrivateTargets, responseBytesMax, signal: run.signal }),
  });
  let batch: FetchedTransaction[] = [];
  for await (const transaction of transactions) {
    batch.push(transaction);
    if (batch.length < batchSize) continue;
    await receiveTransactions(service, open, { transactions: batch, ...run });
    batch = [];
    throwIfAborted(run.signal);
  }
  await receiveTransactions(service, open, { transactions: batch, ...run });
  return { fetchedUntil: to, ...(to < run.startedAt && { nextInMs: 0 }) };
}
