import type {
  BankFeed,
  BankFeedAccount,
  Merchant,
  ReceivingAccount,
} from '../../../../prisma/client/client.ts';
import {
  type FeedAuthentication,
  type FeedCredentials,
  type FeedTrust,
  getFeedTrust,
} from '../../../feed/authentication.ts';
import { type FeedKind, getAuthentications, getFeedDefinition } from '../../../feed/catalog.ts';
import type { FeedDefinition } from '../../../feed/feed-definition.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import type { FeedSettings } from './feed-settings.ts';

/** A bank feed with all that is needed to authenticate its deliveries. */
export type BankFeedSender = {
  feed: BankFeed;
  settings: FeedSettings;
  definition: FeedDefinition;
  authentications: readonly FeedAuthentication[];
};

/** A bank feed with all that is needed to process its deliveries. */
export type OpenBankFeed = BankFeedSender & {
  merchant: Merchant;
  accounts: (BankFeedAccount & { receivingAccount: ReceivingAccount })[];
};

/** Returns a feed of any merchant, without its accounts. Throws `bank_feed_not_found`, also if it is deleted. */
export async function readBankFeedSender(db: { prisma: Tx }, id: string): Promise<BankFeedSender> {
  const feed = await db.prisma.bankFeed.findFirst({ where: { id, deletedAt: null } });
  if (!feed) throw notFoundError(id);
  return toSender(feed);
}

/** Returns a feed of any merchant, with its accounts. Throws `bank_feed_not_found`, also if it is deleted. */
export async function openBankFeed(db: { prisma: Tx }, id: string): Promise<OpenBankFeed> {
  const row = await db.prisma.bankFeed.findFirst({
    where: { id, deletedAt: null },
    include: { merchant: true, accounts: { include: { receivingAccount: true } } },
  });
  if (!row) throw notFoundError(id);
  const { merchant, accounts, ...feed } = row;
  return { ...toSender(feed), merchant, accounts };
}

function toSender(feed: BankFeed): BankFeedSender {
  const settings = feed.settings as FeedSettings;
  const definition = getFeedDefinition(feed.kind as FeedKind, settings.custom);
  const authentications = getAuthentications(definition, settings.authentication);
  return { feed, settings, definition, authentications };
}

const notFoundError = (id: string) => new DomainError('bank_feed_not_found', `Bank feed not found: ${id}`);

export function getBankFeedTrust(feed: Pick<BankFeed, 'kind' | 'settings'>): FeedTrust {
  const { authentication, custom } = feed.settings as FeedSettings;
  const definition = getFeedDefinition(feed.kind as FeedKind, custom);
  return definition.pull ? 'connection' : getFeedTrust(getAuthentications(definition, authentication));
}

export async function decryptFeedCredentials(
  secrets: Secrets,
  { id, credentialsEncrypted }: BankFeed,
): Promise<FeedCredentials> {
  return JSON.parse(await secrets.decrypt(credentialsEncrypted, 'bank_feed.credentials_encrypted', id));
}

export function encryptFeedCredentials(secrets: Secrets, id: string, credentials: FeedCredentials): string {
  return secrets.encrypt(JSON.stringify(credentials), 'bank_feed.credentials_encrypted', id);
}

/** Locks a feed until the end of the transaction and returns it. Throws `bank_feed_not_found`. */
export async function lockBankFeed(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<BankFeed> {
  await tx.$queryRaw`SELECT 1 FROM bank_feed
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
  const feed = await tx.bankFeed.findFirst({ where: { id, merchantId, mode, deletedAt: null } });
  if (!feed) throw new DomainError('bank_feed_not_found', `Bank feed not found: ${id}`);
  return feed;
}
