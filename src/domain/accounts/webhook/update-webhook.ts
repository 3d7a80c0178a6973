import type { Prisma, Webhook } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { WebhookDisabledReason } from '../../../notification/endpoint-health.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import type { CreateWebhookInput, WebhookWithSecrets } from './create-webhook.ts';
import { lockWebhook } from './lock-webhook.ts';
import {
  generateSigningSecret,
  parseConcurrency,
  parseEventTypes,
  parseName,
  parsePassword,
  parseRate,
  parseUsername,
} from './webhook-input.ts';

/**
 * Omitted properties stay unchanged. Null removes `name`, `concurrency` and `ratePerSecond`, and leaves the others
 * unchanged.
 */
export type UpdateWebhookInput = {
  [Member in keyof CreateWebhookInput]?: CreateWebhookInput[Member] | null | undefined;
} & { isEnabled?: boolean | null | undefined };

/**
 * Changes a webhook; pending notifications use the new URL at their next attempt. If the origin of the URL
 * changes, the password must be given again. A re-enabled webhook starts with a clean health record and
 * receives new events; events missed while it was disabled must be replayed explicitly.
 * Errors: `webhook_not_found`; see also `createWebhook`.
 */
export async function updateWebhook(
  service: Service,
  options: ScopedId & AuditContext & { input: UpdateWebhookInput },
): Promise<WebhookWithSecrets> {
  const { merchantId, mode, input, actor, ipAddress, now } = options;
  return transact(service, async (uow) => {
    const before = await lockWebhook(uow.tx, options);
    const signingSecret =
      input.isSigned && before.signingSecretEncrypted === null ? generateSigningSecret() : null;
    const data = {
      ...readInput(service, before, input),
      ...getEnabledChange(before, input.isEnabled, now),
      ...getSignatureChange(service, before, { isSigned: input.isSigned, signingSecret }),
      updatedAt: now,
    };
    const webhook = await uow.tx.webhook.update({ where: { id: before.id }, data });
    const entry = {
      merchantId,
      mode,
      actor,
      ipAddress,
      objectId: before.id,
      detail: toAuditDetail(input, webhook),
      now,
    };
    await recordAudit(uow, { ...entry, action: 'webhook.updated' });
    return { webhook, password: null, signingSecret };
  });
}

/** Returns the stored values of the properties in `input`, but of the password only that it was changed. */
function toAuditDetail(input: UpdateWebhookInput, webhook: Webhook) {
  const { name, url, username, version, eventTypes, concurrency, ratePerSecond } = webhook;
  return {
    ...(input.name !== undefined && { name }),
    ...(input.url != null && { url }),
    ...(input.username != null && { username }),
    ...(input.password != null && { password: 'changed' }),
    ...(input.notificationVersion != null && { notificationVersion: version }),
    ...(input.eventTypes != null && { eventTypes: eventTypes as EventType[] }),
    ...(input.concurrency !== undefined && { concurrency }),
    ...(input.ratePerSecond !== undefined && { ratePerSecond }),
    ...(input.isSigned != null && { isSigned: webhook.signingSecretEncrypted !== null }),
    ...(input.isEnabled != null && { isEnabled: webhook.disabledAt === null }),
  };
}

function readInput(
  service: Service,
  { id, url: urlBefore, mode, version: versionBefore, eventTypes: eventTypesBefore }: Webhook,
  input: UpdateWebhookInput,
): Prisma.WebhookUpdateInput {
  const version = input.notificationVersion ?? versionBefore;
  const url =
    input.url == null ? urlBefore : parseTargetUrl(input.url, '/url', { mode, ...service.settings });
  // The password is sent to the URL in clear text, so a user who changes the URL must know it.
  if (input.password == null && new URL(url).origin !== new URL(urlBefore).origin)
    throw invalidInputError('/password', 'is required when the scheme, host or port of the URL changes');
  return {
    url,
    ...(input.name !== undefined && { name: parseName(input.name) }),
    ...(input.username != null && { username: parseUsername(input.username) }),
    ...(input.password != null && {
      passwordEncrypted: service.secrets.encrypt(
        parsePassword(input.password),
        'webhook.password_encrypted',
        id,
      ),
    }),
    version,
    eventTypes: parseEventTypes(input.eventTypes ?? (eventTypesBefore as EventType[]), version),
    ...(input.concurrency !== undefined && { concurrency: parseConcurrency(input.concurrency) }),
    ...(input.ratePerSecond !== undefined && { ratePerSecond: parseRate(input.ratePerSecond) }),
  };
}

function getEnabledChange(
  { disabledAt }: Webhook,
  isEnabled: boolean | null | undefined,
  now: Date,
): Prisma.WebhookUpdateInput {
  if (isEnabled === true && disabledAt !== null) {
    const resetHealth = { consecutiveFailures: 0, failingSince: null, failureAlertedAt: null };
    return { disabledAt: null, disabledReason: null, ...resetHealth };
  }
  if (isEnabled === false && disabledAt === null) {
    return { disabledAt: now, disabledReason: 'manual' satisfies WebhookDisabledReason };
  }
  return {};
}

/** Disabling signatures deletes the secrets; enabling signatures again generates a new secret. */
function getSignatureChange(
  { secrets }: Service,
  { id }: Webhook,
  { isSigned, signingSecret }: { isSigned: boolean | null | undefined; signingSecret: string | null },
): Prisma.WebhookUpdateInput {
  if (signingSecret !== null)
    return { signingSecretEncrypted: secrets.encrypt(signingSecret, 'webhook.signing_secret_encrypted', id) };
  if (isSigned !== false) return {};
  return {
    signingSecretEncrypted: null,
    previousSigningSecretEncrypted: null,
    previousSigningSecretExpiresAt: null,
  };
}
