import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './reauthenticate.ts';
import { endSessions } from './user-session.ts';

/**
 * Changes the email address of a signed-in user, which takes effect at once, and ends all other sessions of the user.
 * Emails both addresses. Requires the password, and a code when two-factor authentication is enabled.
 * Errors: 400 for an invalid address or that of another user; see also `withReauthentication`.
 */
export async function changeEmail(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string }; email: string },
): Promise<MerchantUser> {
  const email = foldEmail(parseEmail(options.email, '/email'));
  return withReauthentication(service, options, (uow, before) =>
    before.email === email ? Promise.resolve(before) : storeEmail(uow, { ...options, before, email }),
  );
}

async function storeEmail(
  uow: UnitOfWork<Service>,
  options: SessionContext & { before: MerchantUser; email: string },
): Promise<MerchantUser> {
  const { tx } = uow;
  const { before, email, session, ipAddress, now } = options;
  const { id, merchantId } = before;
  // Serializes with the creation of a user with the same email.
  await lockByName(tx, `user ${email}`);
  if ((await tx.merchantUser.count({ where: { email, removedAt: null } })) > 0)
    throw invalidInputError('/email', 'is already used by another user');
  const user = await tx.merchantUser.update({ where: { id }, data: { email } });
  await tx.passwordReset.deleteMany({ where: { userId: id } });
  await endSessions(uow, { user, keepSessionId: session.id });
  const detail = { email: { from: before.email, to: email } };
  const entry = { merchantId, actor: `user:${id}`, ipAddress, objectId: id, detail, now };
  await recordAudit(uow, { ...entry, action: 'user.updated' });
  for (const recipient of [before, user])
    await notifyUser(uow, { user: recipient, notice: 'email_changed', ipAddress, now });
  return user;
}
