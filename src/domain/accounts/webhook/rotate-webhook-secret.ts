import { transact } from '../../../event/unit-of-work.ts';
import { hourMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { checkInteger } from '../../../kit/integer.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { WebhookWithSecrets } from './create-webhook.ts';
import { lockWebhook } from './lock-webhook.ts';
import { generateSigningSecret } from './webhook-input.ts';

const overlapHoursMax = 168;

/**
 * Generates a new signing secret. During the overlap, notifications are also signed with the previous secret,
 * so that the receiver can switch at any time. Until the overlap ends, another rotation requires
 * `overlapHours: 0`, which ends the use of the previous secrets immediately.
 * Errors: `webhook_not_found`, `invalid_request`, `webhook_unsigned` if signatures are disabled.
 */
export async function rotateWebhookSecret(
  service: Service,
  options: ScopedId & AuditContext & { overlapHours: number },
): Promise<WebhookWithSecrets & { signingSecret: string }> {
  const { merchantId, mode, actor, ipAddress, now } = options;
  const overlapHours = checkInteger(options.overlapHours, '/overlapHours', { min: 0, max: overlapHoursMax });
  const signingSecret = generateSigningSecret();
  const { secrets } = service;
  return transact(service, async (uow) => {
    const {
      id,
      signingSecretEncrypted,
      previousSigningSecretExpiresAt: until,
    } = await lockWebhook(uow.tx, options);
    if (signingSecretEncrypted === null) throw new DomainError('webhook_unsigned');
    if (overlapHours > 0 && until !== null && until > now) throw overlapInProgressError(until);
    const lastSigningSecret = await secrets.decrypt(
      signingSecretEncrypted,
      'webhook.signing_secret_encrypted',
      id,
    );
    const webhook = await uow.tx.webhook.update({
      where: { id },
      data: {
        signingSecretEncrypted: secrets.encrypt(signingSecret, 'webhook.signing_secret_encrypted', id),
        previousSigningSecretEncrypted:
          overlapHours === 0
            ? null
            : secrets.encrypt(lastSigningSecret, 'webhook.previous_signing_secret_encrypted', id),
        previousSigningSecretExpiresAt:
          overlapHours === 0 ? null : new Date(now.getTime() + overlapHours * hourMs),
        updatedAt: now,
      },
    });
    const detail = { signingSecret: 'rotated', overlapHours };
    const entry = { merchantId, mode, actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'webhook.updated' });
    return { webhook, password: null, signingSecret };
  });
}

function overlapInProgressError(until: Date): DomainError {
  return invalidInputError(
    '/overlapHours',
    `must be 0, because the previous secret remains in use until ${until.toISOString()}`,
  );
}
