import type { Prisma, Webhook } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { invalidInput } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { parseTargetUrl } from '../../platform/target-url.ts';
import type { CreateWebhookInput, NewWebhook } from './create-webhook.ts';
import { lockWebhook } from './lock-webhook.ts';
import {
  generateSigningSecret,
  parseConcurrency,
  parseMessages,
  parsePassword,
  parseRate,
  parseUsername,
  parseVersion,
} from './webhook-input.ts';

/** Omitted members stay unchanged; null removes a limit. */
export type UpdateWebhookInput = {
  [Member in keyof CreateWebhookInput]?: CreateWebhookInput[Member] | null | undefined;
} & { isEnabled?: boolean | null | undefined };

/**
 * Changes a webhook; pending notifications use the new URL at their next attempt. A new origin requires the
 * password again. A re-enabled webhook starts with a clean health record and receives new events; missed ones
 * must be replayed explicitly.
 * Errors: `webhook_not_found`; see also `createWebhook`.
 */
export async function updateWebhook(
  service: Service,
  options: ScopedId & AuditContext & { input: UpdateWebhookInput },
): Promise<NewWebhook> {
  const { merchantId, mode, input, actor, address, now } = options;
  return transact(service, async (uow) => {
    const before = await lockWebhook(uow.tx, options);
    const signingSecret =
      input.isSigned && before.signingSecretEncrypted === null ? generateSigningSecret() : null;
    const data = {
      ...readInput(service, before, input),
      ...getEnabledChange(before, input.isEnabled, now),
      ...getSignatureChange(service, before, { signed: input.isSigned, signingSecret }),
      updatedAt: now,
    };
    const webhook = await uow.tx.webhook.update({ where: { id: before.id }, data });
    const entry = {
      merchantId,
      mode,
      actor,
      address,
      objectId: before.id,
      detail: toAuditDetail(input),
      now,
    };
    await recordAudit(uow, { ...entry, action: 'webhook.updated' });
    return { webhook, password: null, signingSecret };
  });
}

/** Returns the input without the password, of which only the change is recorded. */
function toAuditDetail({ password, ...rest }: UpdateWebhookInput) {
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const plain = entries.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]);
  return { ...Object.fromEntries(plain), ...(password != null && { password: 'changed' }) };
}

function readInput(
  service: Service,
  { id, url: urlBefore, mode, version: versionBefore, eventTypes: messages }: Webhook,
  input: UpdateWebhookInput,
): Prisma.WebhookUpdateInput {
  const version = input.notificationVersion == null ? versionBefore : parseVersion(input.notificationVersion);
  const url =
    input.url == null ? urlBefore : parseTargetUrl(input.url, '/url', { mode, ...service.settings });
  // The password is sent to the URL in clear text, so changing the URL must not reveal it.
  if (input.password == null && new URL(url).origin !== new URL(urlBefore).origin)
    throw invalidInput('/password', 'is required again when the host changes');
  return {
    url,
    ...(input.username != null && { username: parseUsername(input.username) }),
    ...(input.password != null && {
      passwordEncrypted: service.secrets.encrypt(
        parsePassword(input.password),
        'webhook.password_encrypted',
        id,
      ),
    }),
    version,
    eventTypes: parseMessages(input.eventTypes ?? messages, version),
    ...(input.concurrency !== undefined && { concurrency: parseConcurrency(input.concurrency) }),
    ...(input.ratePerSecond !== undefined && { ratePerSecond: parseRate(input.ratePerSecond) }),
  };
}

function getEnabledChange(
  { disabledAt }: Webhook,
  enabled: boolean | null | undefined,
  now: Date,
): Prisma.WebhookUpdateInput {
  if (enabled === true && disabledAt !== null) {
    const resetHealth = { consecutiveFailures: 0, failingSince: null, failureAlertedAt: null };
    return { disabledAt: null, disabledReason: null, ...resetHealth };
  }
  if (enabled === false && disabledAt === null) {
    return { disabledAt: now, disabledReason: 'Disabled manually' };
  }
  return {};
}

/** Disabling signatures deletes the secrets; enabling them again generates a new one. */
function getSignatureChange(
  { secrets }: Service,
  { id }: Webhook,
  { signed, signingSecret }: { signed: boolean | null | undefined; signingSecret: string | null },
): Prisma.WebhookUpdateInput {
  if (signingSecret !== null)
    return { signingSecretEncrypted: secrets.encrypt(signingSecret, 'webhook.signing_secret_encrypted', id) };
  if (signed !== false) return {};
  return {
    signingSecretEncrypted: null,
    previousSigningSecretEncrypted: null,
    previousSigningSecretExpiresAt: null,
  };
}
