import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { findTotpStep } from '../../../kit/totp.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';
import { normalizeRecoveryCode } from './recovery-codes.ts';

const codeMax = 64;

export type ConsumeCodeOptions = { userId: string; code: string; address: string | undefined; now: Date };

/**
 * Takes a code of a user's second factor, of the app or for recovery, in the caller's transaction. Each counts once,
 * however many try it at the same time: of the app's codes, none of a step up to the last that was taken. Callers
 * count the try before.
 */
export async function consumeCode(uow: UnitOfWork<Service>, options: ConsumeCodeOptions): Promise<boolean> {
  const code = normalizeCode(options.code);
  return isAppCode(code)
    ? consumeTotpCode(uow, uow.tx, { ...options, code })
    : consumeRecoveryCode(uow, { ...options, code });
}

/** Whether it has the form of the app's codes; any other can only be one for recovery. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(normalizeCode(code));
}

/** As it is looked at: without the spaces and dashes that apps and lists show it with. */
export function normalizeCode(code: string): string {
  return code.slice(0, codeMax).replace(/[\s-]/g, '');
}

async function consumeTotpCode(service: Service, tx: Tx, options: ConsumeCodeOptions): Promise<boolean> {
  const { userId, code, now } = options;
  const { totpEncrypted } = await tx.merchantUser.findUniqueOrThrow({ where: { id: userId } });
  if (totpEncrypted === null) return false;
  const secret = await service.secrets.decrypt(totpEncrypted, 'merchant_user.totp_encrypted', userId);
  const step = findTotpStep(secret, code, now);
  if (step === undefined) return false;
  const { count } = await tx.merchantUser.updateMany({
    where: { id: userId, totpEncrypted, OR: [{ totpStep: null }, { totpStep: { lt: step } }] },
    data: { totpStep: step },
  });
  return count === 1;
}

async function consumeRecoveryCode(uow: UnitOfWork<Service>, options: ConsumeCodeOptions): Promise<boolean> {
  const { tx } = uow;
  const { userId, code, address, now } = options;
  const codeHash = sha256(normalizeRecoveryCode(code));
  const { count } = await tx.recoveryCode.deleteMany({ where: { codeHash, userId } });
  if (count === 0) return false;
  const user = await tx.merchantUser.findUniqueOrThrow({ where: { id: userId } });
  await recordAudit(uow, {
    merchantId: user.merchantId,
    actor: `user:${userId}`,
    address,
    action: 'user.recovery_code_used',
    objectId: userId,
    detail: { left: await tx.recoveryCode.count({ where: { userId } }) },
    now,
  });
  await notifyUser(uow, { user, notice: 'recovery_code_used', address, now });
  return true;
}

export function incorrectCode(): DomainError {
  return new DomainError('verification_code_invalid', 'The code is incorrect or already used');
}
