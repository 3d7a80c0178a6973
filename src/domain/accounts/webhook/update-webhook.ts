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

/** Members that are left out stay as they are; null takes a limit away. */
export type UpdateWebhookInput = {
  [Member in keyof CreateWebhookInput]?: CreateWebhookInput[Member] | null | undefined;
} & { enabled?: boolean | null | undefined };

/**
 * Changes a webhook; what is on its way goes to the changed address at its next attempt. Another host is given its
 * password anew. Switched on again it begins with a clean record, and gets what happens from then on; what it missed is
 * replayed when asked for. Errors: `webhook_not_found`, and those of createWebhook.
 */
export async function updateWebhook(
  service: Service,
  options: ScopedId & AuditContext & { input: UpdateWebhookInput },
): Promise<NewWebhook> {
  const { merchantId, mode, input, actor, address, now } = options;
  return transact(service, async (uow) => {
    const before = await lockWebhook(uow.tx, options);
    const signingSecret =
      input.signed && before.signingSecretEncrypted === null ? generateSigningSecret() : null;
    const data = {
      ...readInput(service, before, input),
      ...getEnabledChange(before, input.enabled, now),
      ...getSignatureChange(service, before, { signed: input.signed, signingSecret }),
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

/** What was given, but for the password: of that only that it was. */
function toAuditDetail({ password, ...rest }: UpdateWebhookInput) {
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined);
  const plain = entries.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]);
  return { ...Object.fromEntries(plain), ...(password != null && { password: 'changed' }) };
}

function readInput(
  service: Service,
  { id, url: urlBefore, mode, version: versionBefore, messages }: Webhook,
  input: UpdateWebhookInput,
): Prisma.WebhookUpdateInput {
  const version = input.version == null ? versionBefore : parseVersion(input.version);
  const url =
    input.url == null ? urlBefore : parseTargetUrl(input.url, '/url', { mode, ...service.settings });
  // It is sent there in the clear: nobody who may change the address is to learn it by that.
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
    messages: parseMessages(input.messages ?? messages, version),
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
    const resetHealth = { failuresInRow: 0, failingSince: null, failingToldAt: null };
    return { disabledAt: null, disabledReason: null, ...resetHealth };
  }
  if (enabled === false && disabledAt === null) {
    return { disabledAt: now, disabledReason: 'Disabled manually' };
  }
  return {};
}

/** Turned off, the secrets are forgotten; turned on again there is another. */
function getSignatureChange(
  { secrets }: Service,
  { id }: Webhook,
  { signed, signingSecret }: { signed: boolean | null | undefined; signingSecret: string | null },
): Prisma.WebhookUpdateInput {
  if (signingSecret !== null)
    return { signingSecretEncrypted: secrets.encrypt(signingSecret, 'webhook.signing_secret_encrypted', id) };
  if (signed !== false) return {};
  return { signingSecretEncrypted: null, lastSigningSecretEncrypted: null, lastSigningSecretUntil: null };
}
