import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { findTotpStep } from '../../../kit/totp.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';
import { normalizeRecoveryCode } from './recovery-codes.ts';

const codeInputLengthMax = 64;

type ConsumeCodeOptions = { userId: string; code: string; ipAddress: string | undefined; now: Date };

/**
 * Consumes an authenticator code or a recovery code in the caller's transaction, and returns whether it was
 * valid. Each code works once, even for concurrent callers: TOTP codes of the last accepted step or an
 * earlier one are invalid. Callers must record the attempt first.
 */
export async function consumeCode(uow: UnitOfWork<Service>, options: ConsumeCodeOptions): Promise<boolean> {
  const code = normalizeCode(options.code);
  return isAppCode(code)
    ? consumeTotpCode(uow, uow.tx, { ...options, code })
    : consumeRecoveryCode(uow, { ...options, code });
}

/**
 * Returns whether the code has the format of an authenticator code; any other format can only be a recovery
 * code.
 */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(normalizeCode(code));
}

/** Removes the spaces and dashes that apps and lists show between the characters of a code. */
export function normalizeCode(code: string): string {
  return code.slice(0, codeInputLengthMax).replace(/[\s-]/g, '');
}

async function consumeTotpCode(service: Service, tx: Tx, options: ConsumeCodeOptions): Promise<boolean> {
  const { userId, code, now } = options;
  const { totpEncrypted } = await tx.merchantUser.findUniqueOrThrow({ where: { id: userId } });
  if (totpEncrypted === null) return false;
  const secret = await service.secrets.decrypt(totpEncrypted, 'merchant_user.totp_encrypted', userId);
  const step = findTotpStep(secret, code, now);
  if (step === undefined) return false;
  const { count } = await tx.merchantUser.updateMany({
    where: { id: userId, totpEncrypted, OR: [{ lastTotpStep: null }, { lastTotpStep: { lt: step } }] },
    data: { lastTotpStep: step },
  });
  return count === 1;
}

async function consumeRecoveryCode(uow: UnitOfWork<Service>, options: ConsumeCodeOptions): Promise<boolean> {
  const { tx } = uow;
  const { userId, code, ipAddress, now } = options;
  const codeHash = sha256(normalizeRecoveryCode(code));
  const { count } = await tx.recoveryCode.deleteMany({ where: { codeHash, userId } });
  if (count === 0) return false;
  const user = await tx.merchantUser.findUniqueOrThrow({ where: { id: userId } });
  await recordAudit(uow, {
    merchantId: user.merchantId,
    actor: `user:${userId}`,
    ipAddress,
    action: 'user.recovery_code_used',
    objectId: userId,
    detail: { remaining: await tx.recoveryCode.count({ where: { userId } }) },
    now,
  });
  await notifyUser(uow, { user, notice: 'recovery_code_used', ipAddress, now });
  return true;
}

export function incorrectCodeError(): DomainError {
  return new DomainError('verification_code_invalid', 'The code is incorrect or already used');
}
