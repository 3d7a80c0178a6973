import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { emailChangeMail } from '../../../message/mails/email-change-mail.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { canSendEmail, type Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './reauthenticate.ts';
import { endSessions } from './user-session.ts';

const linkMinutes = 60;

type EmailChangeOptions = SessionContext & { before: MerchantUser; email: string };

/**
 * Changes the email address of a signed-in user. With a mail server, the change takes effect when the user opens a
 * link that is emailed to the new address (`confirmEmailChange`), and the old address is notified. Without a mail
 * server, it takes effect at once. If the address is the current one, discards an unconfirmed change. Requires the
 * password, and a code when two-factor authentication is enabled. The request does not reveal whether another user has
 * the address; only the owner of the address learns that, when confirming.
 * Errors: 400 for an invalid address or, without a mail server, that of another user; see also `withReauthentication`.
 */
export async function changeEmail(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string }; email: string },
): Promise<MerchantUser> {
  const email = foldEmail(parseEmail(options.email, '/email'));
  return withReauthentication(service, options, async (uow, before) => {
    await uow.tx.emailChange.deleteMany({ where: { userId: before.id } });
    if (before.email === email) return before;
    const change = { ...options, before, email };
    if (canSendEmail(service)) return requestChange(uow, change);
    await requireUnusedEmail(uow.tx, email);
    return storeEmail(uow, change);
  });
}

/** Serializes with the creation of a user with the same email. */
export async function requireUnusedEmail(tx: Tx, email: string): Promise<void> {
  await lockByName(tx, `user ${email}`);
  if ((await tx.merchantUser.count({ where: { email, removedAt: null } })) > 0)
    throw invalidInputError('/email', 'is already used by another user');
}

/** Stores the new address and ends all other sessions of the user. Emails both addresses. */
export async function storeEmail(
  uow: UnitOfWork<Service>,
  { before, email, session, ipAddress, now }: EmailChangeOptions,
): Promise<MerchantUser> {
  const { tx } = uow;
  const { id, merchantId } = before;
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

/** Emails the link to the new address and a notice to the old one. The latest link replaces earlier ones. */
async function requestChange(
  uow: UnitOfWork<Service>,
  { before, email, ipAddress, now }: EmailChangeOptions,
): Promise<MerchantUser> {
  const { id: userId, merchantId } = before;
  const token = newToken();
  const tokenHash = sha256(token);
  const expiresAt = new Date(now.getTime() + linkMinutes * minuteMs);
  await uow.tx.emailChange.create({ data: { userId, email, tokenHash, createdAt: now, expiresAt } });
  const detail = { email: { from: before.email, to: email } };
  const entry = { merchantId, actor: `user:${userId}`, ipAddress, objectId: userId, detail, now };
  await recordAudit(uow, { ...entry, action: 'user.email_change_requested' });
  await enqueueMessage(uow, {
    merchantId,
    mode: null,
    audience: 'staff',
    trigger: 'merchant',
    atLimit: 'reject',
    kind: 'email-change',
    channel: 'email',
    to: email,
    language: 'en',
    // The token is in the URL fragment, which browsers do not send to servers, so no access log contains it.
    content: emailChangeMail({
      url: `${uow.settings.publicUrl}/dashboard/confirm-email#${token}`,
      minutes: linkMinutes,
      before: before.email,
      ipAddress,
    }),
    dedupeKey: `email-change ${userId} ${tokenHash}`,
    expiresAt,
    now,
  });
  await notifyUser(uow, { user: before, notice: 'email_change_requested', ipAddress, now });
  return before;
}
