import type { BankFeed, Charge, Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { type CreateBankFeedInput, createBankFeed } from '../../src/domain/money-in/feed/create-bank-feed.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { presets } from '../../src/feed/catalog.ts';
import type { FeedSampleInput } from '../../src/feed/feed-definition.ts';
import { toDecimal } from '../../src/kit/money.ts';
import type { TestApp } from './app.ts';
import { type FeedSender, feedSenders } from './feed-senders.ts';
import { noon } from './seed.ts';

/** The account number in the deliveries of all simulated banks. */
export const bankAccount = '0123499999';

/** Creates a feed that reports the transfers of one account, by default a live one. */
export function seedBankFeed(
  service: Service,
  { merchant }: Pick<NewMerchant, 'merchant'>,
  options: {
    sender?: string;
    receivingAccountId: string;
    mode?: Mode;
    input?: Partial<CreateBankFeedInput>;
    now?: Date;
  },
): Promise<BankFeed> {
  const { sender = 'SePay with a signature', receivingAccountId, mode = 'live', now = noon } = options;
  const { kind, authentication, credentials } = feedSenders[sender]!;
  return createBankFeed(service, {
    merchantId: merchant.id,
    mode,
    actor: 'user:test',
    now,
    input: {
      kind,
      authentication,
      credentials,
      receivingAccounts: [{ receivingAccountId, bankAccount }],
      ...options.input,
    },
  });
}

/** Returns a body in which the sender reports the payment of a charge, in full by default. */
export function reportPayment(
  { kind }: Pick<FeedSender, 'kind'>,
  charge: Pick<Charge, 'customerAmount' | 'customerCurrency' | 'paymentReference'>,
  changes: Partial<FeedSampleInput> = {},
): string {
  const currency = charge.customerCurrency;
  return presets[kind].createSample({
    id: '92704',
    account: bankAccount,
    amount: toDecimal({ minor: charge.customerAmount, currency }),
    currency,
    reference: `thanh toan ${charge.paymentReference}`,
    payerName: 'NGUYEN VAN A',
    paidAt: noon,
    ...changes,
  }).body;
}

type SendDeliveryOptions = {
  sender?: string;
  body: string | Buffer;
  /** The time that the sender signs. */
  signedAt?: Date;
  headers?: Record<string, string | undefined>;
  remoteAddress?: string;
};

/** Sends a delivery to the URL of a feed as its sender does. */
export async function sendDelivery(
  { app }: Pick<TestApp, 'app'>,
  feed: Pick<BankFeed, 'id'>,
  {
    sender = 'SePay with a signature',
    body,
    signedAt = noon,
    headers = {},
    remoteAddress,
  }: SendDeliveryOptions,
) {
  const { path = '', sign } = feedSenders[sender]!;
  const url = `/feeds/${feed.id}${path}`;
  const signed = sign({ body: body.toString(), path: url, now: signedAt });
  const all = Object.entries({ 'content-type': 'application/json', ...signed, ...headers });
  const answer = await app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: Object.fromEntries(all.filter(([, value]) => value !== undefined)),
    ...(remoteAddress !== undefined && { remoteAddress }),
  });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

/** Returns the deliveries of a feed, oldest first. */
export function readDeliveries(service: Service, { id: feedId }: Pick<BankFeed, 'id'>) {
  return service.prisma.feedDelivery.findMany({ where: { feedId }, orderBy: { id: 'asc' } });
}
