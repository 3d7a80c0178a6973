import type { FeedDelivery } from '../../../../prisma/client/client.ts';
import { type FeedPreset, presets } from '../../../feed/catalog.ts';
import type { FeedSample } from '../../../feed/feed-definition.ts';
import { parseJsonDocument } from '../../../feed/json-document.ts';
import type { FetchedTransaction } from '../../../feed/pull/transaction-source.ts';
import { signRequest } from '../../../feed/sign-request.ts';
import type { Clock, SystemTime } from '../../../kit/clock.ts';
import { getMinorPerMajor } from '../../../kit/currency.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { decryptFeedCredentials, type OpenBankFeed, openBankFeed } from './open-bank-feed.ts';
import { receiveFile } from './receive-file.ts';
import { receiveTransactions } from './receive-transactions.ts';

/** A request as the sender of a feed would send it. */
export type SimulatedDelivery = { url: string; headers: Record<string, string>; body: string };

/**
 * The amounts of payments without a charge, in major units, in currencies with small units. In all others,
 * the amount is 5.
 */
const sampleAmounts: Record<string, bigint> = { VND: 25_000n, IDR: 15_000n, KRW: 1_000n, INR: 100n };

/**
 * Creates a correctly signed delivery for a feed of the sandbox: a payment of the given charge, or of a small
 * amount without a payment reference. `body` replaces the sample, and is required for a custom feed. Errors:
 * `bank_feed_not_found`, `charge_not_found`, `sandbox_only`, `invalid_request`.
 */
export async function simulateDelivery(
  service: Service,
  options: { feedId: string; chargeId?: string | undefined; body?: string | undefined; now: SystemTime },
): Promise<SimulatedDelivery> {
  const { feedId, now } = options;
  const open = await openBankFeed(service, feedId);
  const { feed, settings, authentications } = open;
  checkIsSandbox(open);
  const sample = await createSample(service, open, options);
  const url = `${service.settings.publicUrl}/feeds/${feedId}${sample.path ?? ''}`;
  const request = {
    method: 'POST',
    path: settings.signedPath ?? new URL(url).pathname,
    headers: { 'content-type': 'application/json', ...sample.headers },
    body: Buffer.from(sample.body),
  };
  const credentials = await decryptFeedCredentials(service.secrets, feed);
  const needsKey = authentications.some(({ scheme }) => scheme === 'rsa' || scheme === 'jws');
  if (needsKey && !credentials.simulatorKey)
    throw invalidInputError(
      '/feed',
      'has the public key of a bank, so only the bank can sign for it: create a feed without a public key',
    );
  const signed = signRequest(request, { authentications, credentials, now });
  return { url, headers: { ...request.headers, ...signed }, body: sample.body };
}

function checkIsSandbox({ feed }: OpenBankFeed): void {
  if (feed.mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Deliveries can be simulated only in the sandbox');
}

/** Creates a report of the sender of a feed: a payment of a charge, or of a small amount. */
async function createSample(
  service: Service,
  { feed, merchant, accounts }: OpenBankFeed,
  { chargeId, body, now }: { chargeId?: string | undefined; body?: string | undefined; now: SystemTime },
): Promise<FeedSample> {
  if (body !== undefined) return { body };
  if (feed.kind === 'custom') throw invalidInputError('/body', 'is required for a custom feed');
  const charge = chargeId === undefined ? undefined : await findCharge(service, feed, chargeId);
  const paidTo = accounts.find(({ receivingAccountId }) => receivingAccountId === charge?.receivingAccountId);
  if (charge && !paidTo)
    throw invalidInputError('/charge', 'is paid to an account that does not belong to the feed');
  const { receivingAccount, bankAccount } = paidTo ?? accounts[0]!;
  const { currency } = receivingAccount;
  const minor = charge
    ? charge.customerAmount - charge.amountReceived
    : (sampleAmounts[currency] ?? 5n) * getMinorPerMajor(currency);
  return presets[feed.kind as FeedPreset].createSample({
    id: String(now.getTime()),
    account: bankAccount === null || bankAccount === '*' ? receivingAccount.account : bankAccount,
    amount: toDecimal({ minor, currency }),
    currency,
    reference: charge?.paymentReference ?? 'Simulated payment',
    payerName: 'Simulated Payer',
    paidAt: merchantNow(now, merchant, feed.mode),
  });
}

async function findCharge({ prisma }: Service, { merchantId, mode }: OpenBankFeed['feed'], id: string) {
  const charge = await prisma.charge.findFirst({ where: { id, merchantId, mode } });
  if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${id}`);
  return charge;
}

/**
 * Simulates a poll that fetches a payment in the sandbox: of the given charge, or of a small amount without a
 * payment reference. `body` replaces the sample. Errors: `bank_feed_not_found`, `charge_not_found`,
 * `sandbox_only`, `invalid_request`.
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
