import { generateKeyPairSync } from 'node:crypto';
import type { BankFeed, Mode } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { FeedAuthentication, FeedCredentials } from '../../../feed/authentication.ts';
import { type FeedKind, feedKinds, getFeedDefinition, isFeedKind, presets } from '../../../feed/catalog.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import {
  type BankFeedAccountInput,
  type BankFeedSettingsInput,
  type FeedCredentialsInput,
  findAuthentications,
  parseAllowedAddresses,
  parseFeedAccounts,
  parseFeedCredentials,
  parseFeedName,
  parseFeedSettings,
  parseSilenceMinutes,
} from './bank-feed-input.ts';
import { encryptFeedCredentials } from './open-bank-feed.ts';

export type CreateBankFeedInput = BankFeedSettingsInput & {
  kind: string;
  /** The default is the name of the kind, such as `Wise`. */
  name?: string | null | undefined;
  receivingAccounts: readonly BankFeedAccountInput[];
  credentials?: FeedCredentialsInput | null | undefined;
  allowedAddresses?: readonly string[] | null | undefined;
  silenceMinutes?: number | null | undefined;
};

/** The limit keeps lists short; deliveries are as fast with many feeds. */
const bankFeedsMax = 50;

/**
 * Creates a bank feed, which accepts deliveries or is polled immediately. It only observes until it is
 * confirmed, unless `isTrusted` returns true. In the sandbox, a missing public key is generated for the
 * simulator. Errors: `invalid_request` with the path of the property, `bank_feed_limit_reached`.
 */
export async function createBankFeed(
  service: Service,
  options: MerchantScope & AuditContext & { input: CreateBankFeedInput },
): Promise<BankFeed> {
  const { merchantId, mode, input, actor, ipAddress, now } = options;
  const { kind } = input;
  if (!isFeedKind(kind)) throw invalidInputError('/kind', `must be one of: ${feedKinds.join(', ')}`);
  if (kind === 'folder' && service.settings.feedDir === undefined)
    throw invalidInputError('/kind', 'is not available until the operator sets FEED_DIR');
  const id = newId('bankFeed', now);
  const settings = parseFeedSettings(kind, input, { mode, ...service.settings });
  const authentications = findAuthentications(kind, settings);
  const before = toSimulatorCredentials(mode, authentications, input.credentials ?? {});
  const definition = getFeedDefinition(kind, settings.custom);
  const { pull } = definition;
  const credentials = parseFeedCredentials(input.credentials ?? {}, { before, authentications, pull });
  const data = {
    id,
    merchantId,
    mode,
    kind,
    name: input.name == null ? definition.name : parseFeedName(input.name),
    sourceKey: kind === 'custom' ? id : kind,
    settings,
    credentialsEncrypted: encryptFeedCredentials(service.secrets, id, credentials),
    allowedAddresses: parseAllowedAddresses(input.allowedAddresses ?? []),
    silenceMinutes: parseSilenceMinutes(input.silenceMinutes ?? null),
    confirmedAt: isTrusted(kind, credentials) ? now : null,
    ...(pull && { nextPollAt: now }),
    createdAt: now,
    updatedAt: now,
  };
  return transact(service, async (uow) => {
    await checkFeedLimit(uow.tx, { merchantId, mode });
    const accounts = await parseFeedAccounts(uow.tx, { merchantId, mode, pull }, input.receivingAccounts);
    const feed = await uow.tx.bankFeed.create({ data: { ...data, accounts: { create: accounts } } });
    const detail = {
      kind,
      name: data.name,
      authentication: settings.authentication,
      receivingAccounts: accounts,
    };
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'bank_feed.created' });
    return feed;
  });
}

/**
 * Returns whether a new feed records transfers immediately: its format is published, and the sender is
 * authenticated or the bank's API confirms each payment.
 */
export function isTrusted(kind: FeedKind, { clientId, clientSecret }: FeedCredentials): boolean {
  if (kind === 'custom') return false;
  const { evidence, confirmation } = presets[kind];
  if (confirmation !== undefined && !(clientId && clientSecret)) return false;
  return evidence !== 'unverified';
}

/** Generates the keys of a simulated bank for the sandbox, if the sender signs with its own key. */
function toSimulatorCredentials(
  mode: Mode,
  authentications: readonly FeedAuthentication[],
  input: FeedCredentialsInput,
) {
  const needsKey = authentications.some(({ scheme }) => scheme === 'rsa' || scheme === 'jws');
  if (mode !== 'sandbox' || !needsKey || input.publicKey != null) return {};
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey, simulatorKey: privateKey };
}

/** Serializes concurrent creations, which could otherwise exceed the limit. */
async function checkFeedLimit(tx: Tx, scope: MerchantScope): Promise<void> {
  await lockByName(tx, `bank feeds of ${scope.merchantId} ${scope.mode}`);
  if ((await tx.bankFeed.count({ where: { ...scope, deletedAt: null } })) < bankFeedsMax) return;
  const message = `At most ${bankFeedsMax} bank feeds are allowed in each mode: delete one that is no longer needed`;
  throw new DomainError('bank_feed_limit_reached', message);
}
