import type { Webhook } from '../../../../prisma/client/client.ts';
import type { NotificationVersion } from '../../../event/catalogue.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import {
  generateSigningSecret,
  generateWebhookPassword,
  parseConcurrency,
  parseMessages,
  parsePassword,
  parseRate,
  parseUsername,
  parseVersion,
} from './webhook-input.ts';

export type CreateWebhookInput = {
  url: string;
  username: string;
  /** None: one is made. */
  password?: string | null | undefined;
  /** Notification version; 0.9 unless said otherwise. */
  version?: string | null | undefined;
  /** The messages it wants; none: all of its version. */
  messages?: readonly string[] | null | undefined;
  /** Deliveries side by side, and attempts a second, over all workers; none: no limit of its own. */
  concurrency?: number | null | undefined;
  ratePerSecond?: number | null | undefined;
  /** Whether notifications also carry a signature after Standard Webhooks. */
  signed?: boolean | null | undefined;
};

/** Secrets that were made for it, and are not shown again; null where none was. */
export type NewWebhook = { webhook: Webhook; password: string | null; signingSecret: string | null };

const defaultVersion: NotificationVersion = '0.9';
/** Of a merchant and mode; each event may go to all of them. */
export const webhooksMax = 50;

/**
 * A webhook of one mode, told of everything from now on. Password and signing secret are stored encrypted. Errors:
 * `invalid_request` naming the member, `target_refused` for a private or loopback address where those are not allowed,
 * `webhook_limit_reached` beyond 50.
 */
export async function createWebhook(
  service: Service,
  options: MerchantScope & AuditContext & { input: CreateWebhookInput },
): Promise<NewWebhook> {
  const { merchantId, mode, input, actor, address, now } = options;
  const version = parseVersion(input.version ?? defaultVersion);
  const password = input.password == null ? generateWebhookPassword() : null;
  const signingSecret = input.signed ? generateSigningSecret() : null;
  const id = newId('webhook', now);
  const { secrets } = service;
  const data = {
    id,
    merchantId,
    mode,
    url: parseTargetUrl(input.url, '/url', { mode, ...service.settings }),
    username: parseUsername(input.username),
    passwordEncrypted: secrets.encrypt(
      password ?? parsePassword(input.password ?? ''),
      'webhook.password_encrypted',
      id,
    ),
    version,
    messages: parseMessages(input.messages ?? [], version),
    concurrency: parseConcurrency(input.concurrency ?? null),
    ratePerSecond: parseRate(input.ratePerSecond ?? null),
    signingSecretEncrypted:
      signingSecret && secrets.encrypt(signingSecret, 'webhook.signing_secret_encrypted', id),
    createdAt: now,
    updatedAt: now,
  };
  return transact(service, async (uow) => {
    await checkWebhookLimit(uow.tx, { merchantId, mode });
    const webhook = await uow.tx.webhook.create({ data });
    const detail = { url: data.url, version, messages: data.messages, signed: signingSecret !== null };
    const entry = { merchantId, mode, actor, address, objectId: webhook.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'webhook.created' });
    return { webhook, password, signingSecret };
  });
}

/** One at a time, so that two of them do not both take the last place. */
async function checkWebhookLimit(tx: Tx, owner: MerchantScope): Promise<void> {
  await lockByName(tx, `webhooks of ${owner.merchantId} ${owner.mode}`);
  if ((await tx.webhook.count({ where: { ...owner, deletedAt: null } })) < webhooksMax) return;
  const message = `At most ${webhooksMax} webhooks are allowed in each mode: delete one that is no longer needed`;
  throw new DomainError('webhook_limit_reached', message);
}
