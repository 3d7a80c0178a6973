import type { Webhook } from '../../../../prisma/client/client.ts';
import type { EventType, NotificationVersion } from '../../../event/catalog.ts';
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
  parseEventTypes,
  parseName,
  parsePassword,
  parseRate,
  parseUsername,
} from './webhook-input.ts';

export type CreateWebhookInput = {
  name?: string | null | undefined;
  url: string;
  username: string;
  /** Generated if absent. */
  password?: string | null | undefined;
  /** The notification version, by default 0.9. */
  notificationVersion?: NotificationVersion | null | undefined;
  /** The event types to deliver; an empty list means all event types of the version. */
  eventTypes?: readonly EventType[] | null | undefined;
  /** The maximum number of concurrent deliveries over all workers; null means the default limit of each worker. */
  concurrency?: number | null | undefined;
  ratePerSecond?: number | null | undefined;
  /** Whether notifications also carry a Standard Webhooks signature. */
  isSigned?: boolean | null | undefined;
};

/** A webhook with its generated secrets, which are not shown again; null if none was generated. */
export type WebhookWithSecrets = { webhook: Webhook; password: string | null; signingSecret: string | null };

const defaultVersion: NotificationVersion = '0.9';
/** Each event may be delivered to all webhooks of a merchant and mode, so their number is limited. */
export const webhooksMax = 50;

/**
 * Creates a webhook in one mode. It receives the events of its types from now on. Its secrets are stored encrypted.
 * Errors: `invalid_request` with the path of the property, `target_refused` for a private or loopback address unless
 * allowed, `webhook_limit_reached`.
 */
export async function createWebhook(
  service: Service,
  options: MerchantScope & AuditContext & { input: CreateWebhookInput },
): Promise<WebhookWithSecrets> {
  const { merchantId, mode, input, actor, ipAddress, now } = options;
  const version = input.notificationVersion ?? defaultVersion;
  const password = input.password == null ? generateWebhookPassword() : null;
  const signingSecret = input.isSigned ? generateSigningSecret() : null;
  const id = newId('webhook', now);
  const { secrets } = service;
  const data = {
    id,
    merchantId,
    mode,
    name: parseName(input.name),
    url: parseTargetUrl(input.url, '/url', { mode, ...service.settings }),
    username: parseUsername(input.username),
    passwordEncrypted: secrets.encrypt(
      password ?? parsePassword(input.password ?? ''),
      'webhook.password_encrypted',
      id,
    ),
    version,
    eventTypes: parseEventTypes(input.eventTypes ?? [], version),
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
    const detail = {
      ...(data.name !== '' && { name: data.name }),
      url: data.url,
      notificationVersion: version,
      eventTypes: data.eventTypes,
      isSigned: signingSecret !== null,
    };
    const entry = { merchantId, mode, actor, ipAddress, objectId: webhook.id, detail, now };
    await recordAudit(uow, { ...entry, action: 'webhook.created' });
    return { webhook, password, signingSecret };
  });
}

/** Serializes concurrent creations, which could otherwise exceed the limit. */
async function checkWebhookLimit(tx: Tx, scope: MerchantScope): Promise<void> {
  await lockByName(tx, `webhooks of ${scope.merchantId} ${scope.mode}`);
  if ((await tx.webhook.count({ where: { ...scope, deletedAt: null } })) < webhooksMax) return;
  const message = `At most ${webhooksMax} webhooks are allowed in each mode: delete one that is no longer needed`;
  throw new DomainError('webhook_limit_reached', message);
}
