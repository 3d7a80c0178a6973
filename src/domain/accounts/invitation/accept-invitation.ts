import { transact } from '../../../event/unit-of-work.ts';
import type { Service } from '../../platform/service.ts';
import { insertDefaultNotices } from '../notice/insert-default-notices.ts';
import { checkPassword } from '../user/check-password.ts';
import { checkUserName, hashPassword, insertUser } from '../user/create-user.ts';
import { invalidLinkError } from '../user/reset-password.ts';
import { type NewUserSession, type SessionClient, startSession } from '../user/user-session.ts';
import { emailInUseError, resolveInvitation } from './resolve-invitation.ts';

/**
 * Creates the invited user with the chosen name and password, and signs the user in. The link works once,
 * even for concurrent requests.
 * Errors: `invitation_email_used`; 400 for an invalid name or password; see also `resolveInvitation`.
 */
export async function acceptInvitation(
  service: Service,
  options: SessionClient & { token: string; name: string; password: string; now: Date },
): Promise<NewUserSession> {
  const { ipAddress, now } = options;
  const { id, merchant, email, role, tokenHash } = await resolveInvitation(service, options);
  const name = checkUserName(options.name);
  const names = [name, merchant.name, merchant.displayName];
  const password = checkPassword(options.password, { email, names, path: '/password' });
  const passwordHash = await hashPassword(password);
  return transact(service, async (uow) => {
    const { count } = await uow.tx.userInvitation.deleteMany({ where: { id, tokenHash } });
    if (count === 0) throw invalidLinkError();
    const newUser = { merchantId: merchant.id, email, name, role, passwordHash, ipAddress, now };
    const user = await insertUser(uow, newUser);
    if (!user) throw emailInUseError();
    await insertDefaultNotices(uow, { user, now });
    return startSession(uow.tx, { ...options, user: { ...user, merchant } });
  });
}
