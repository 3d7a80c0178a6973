import type { BankFeed, Prisma } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { FeedCredentials } from '../../../feed/authentication.ts';
import { type FeedKind, type FeedPreset, getFeedDefinition, presets } from '../../../feed/catalog.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import {
  checkFeedTarget,
  findAuthentications,
  parseAllowedAddresses,
  parseFeedAccounts,
  parseFeedCredentials,
  parseFeedName,
  parseFeedSettings,
  parseSilenceMinutes,
} from './bank-feed-input.ts';
import { type CreateBankFeedInput, isTrusted } from './create-bank-feed.ts';
import type { FeedSettings } from './feed-settings.ts';
import { decryptFeedCredentials, encryptFeedCredentials, lockBankFeed } from './open-bank-feed.ts';
import { schedulePoll } from './request-poll.ts';
import { setFeedPaused } from './transition-bank-feed.ts';
import { queueDeliveries } from './transition-feed-delivery.ts';

/** Omitted properties stay unchanged. */
type UpdateBankFeedInput = Partial<Omit<CreateBankFeedInput, 'kind' | 'receivingAccounts'>> & {
  receivingAccounts?: CreateBankFeedInput['receivingAccounts'] | null | undefined;
  isPaused?: boolean | null | undefined;
};

/**
 * Changes a bank feed. A custom feed that gets a new format only observes until it is confirmed again. Deliveries
 * that arrived while the feed was paused are processed when it is resumed. If the origin of the API or the SFTP
 * server changes, the credentials that are sent to it must be given again. Errors: `bank_feed_not_found`,
 * `invalid_request` with the path of the property.
 */
export async function updateBankFeed(
  service: Service,
  options: ScopedId & AuditContext & { input: UpdateBankFeedInput },
): Promise<BankFeed> {
  const { merchantId, mode, id, input, actor, ipAddress, now } = options;
  return transact(service, async (uow) => {
    const { tx } = uow;
    const before = await lockBankFeed(tx, options);
    const isChanged = await setFeedPaused(uow, before, {
      isPaused: input.isPaused ?? before.status === 'paused',
      now,
    });
    if (isChanged && input.isPaused === false)
      await queueDeliveries(uow, { feedId: id, status: 'received' }, now);
    // A resumed feed, and one with corrected settings, is polled immediately.
    if (before.nextPollAt !== null) await schedulePoll(uow, before, now);
    if (input.receivingAccounts != null) {
      const { custom } = before.settings as FeedSettings;
      const { pull } = getFeedDefinition(before.kind as FeedKind, custom);
      const accounts = await parseFeedAccounts(tx, { merchantId, mode, pull }, input.receivingAccounts);
      await tx.bankFeedAccount.deleteMany({ where: { feedId: id } });
      await tx.bankFeedAccount.createMany({ data: accounts.map((account) => ({ ...account, feedId: id })) });
    }
    const data = await readChanges(service, before, { input, now });
    const feed = await tx.bankFeed.update({ where: { id }, data: { ...data, updatedAt: now } });
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail: toAuditDetail(input), now };
    await recordAudit(uow, { ...entry, action: 'bank_feed.updated' });
    return feed;
  });
}

async function readChanges(
  { secrets, settings: { allowPrivateTargets } }: Service,
  before: BankFeed,
  { input, now }: { input: UpdateBankFeedInput; now: Date },
): Promise<Prisma.BankFeedUpdateInput> {
  const kind = before.kind as FeedKind;
  const settingsBefore = before.settings as FeedSettings;
  const settings = parseFeedSettings(kind, input, {
    before: settingsBefore,
    mode: before.mode,
    allowPrivateTargets,
  });
  const credentialsBefore = await decryptFeedCredentials(secrets, before);
  const change = { before: settingsBefore, after: settings, credentialsBefore };
  checkFeedTarget(input.credentials ?? {}, change);
  const credentials = parseFeedCredentials(input.credentials ?? {}, {
    before: credentialsBefore,
    authentications: findAuthentications(kind, settings),
    pull: getFeedDefinition(kind, settings.custom).pull,
  });
  return {
    ...(input.name != null && { name: parseFeedName(input.name) }),
    settings,
    credentialsEncrypted: encryptFeedCredentials(secrets, before.id, credentials),
    ...(input.allowedAddresses != null && {
      allowedAddresses: parseAllowedAddresses(input.allowedAddresses),
    }),
    ...(input.silenceMinutes !== undefined && { silenceMinutes: parseSilenceMinutes(input.silenceMinutes) }),
    ...getConfirmationChange(before, { input, credentials, now }),
  };
}

/**
 * A confirmation applies only to the format that was checked. SCB signs nothing, so it is trusted only as long
 * as its API can confirm each payment.
 */
function getConfirmationChange(
  { kind, confirmedAt }: BankFeed,
  { input, credentials, now }: { input: UpdateBankFeedInput; credentials: FeedCredentials; now: Date },
): Pick<Prisma.BankFeedUpdateInput, 'confirmedAt'> {
  if (kind === 'custom') return input.customFormatJson == null ? {} : { confirmedAt: null };
  if (presets[kind as FeedPreset].confirmation === undefined) return {};
  return { confirmedAt: isTrusted(kind as FeedPreset, credentials) ? (confirmedAt ?? now) : null };
}

/** Returns the changes for the audit trail, which names changed credentials but not their values. */
function toAuditDetail({ credentials, receivingAccounts, ...rest }: UpdateBankFeedInput) {
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const names = Object.keys(credentials ?? {}).filter(
    (name) => credentials?.[name as keyof typeof credentials] !== undefined,
  );
  return {
    ...Object.fromEntries(entries),
    ...(receivingAccounts && { receivingAccounts }),
    ...(names.length > 0 && { credentials: names }),
  };
}
