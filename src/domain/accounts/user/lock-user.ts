import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Locks a user until the end of the transaction and returns it. To avoid deadlocks, callers that also lock
 * the merchant must lock it first. Throws `user_not_found`, also for a removed user.
 */
export async function lockUser(tx: Tx, id: string, merchantId?: string): Promise<MerchantUser> {
  await lockUserRow(tx, id, merchantId);
  const where = { id, removedAt: null, ...(merchantId !== undefined && { merchantId }) };
  const user = await tx.merchantUser.findFirst({ where });
  if (!user) throw new DomainError('user_not_found', `User not found: ${id}`);
  return user;
}

/** Like `lockUser`, by email address in any letter case, for commands: the error names an open invitation. */
export async function lockUserByEmail(tx: Tx, rawEmail: string): Promise<MerchantUser> {
  const email = foldEmail(rawEmail);
  await lockUserRows(tx, [email]);
  const user = await tx.merchantUser.findFirst({ where: { email, removedAt: null } });
  if (user) return user;
  const invitation = await tx.userInvitation.findFirst({ where: { email } });
  const hint = invitation
    ? `. The invitation to ${invitation.merchantId} is not accepted yet. To create the user with a password, run ` +
      `"user create --merchant ${invitation.merchantId} --email ${email} --role ${invitation.role}"`
    : '';
  throw new DomainError('user_not_found', `User not found: ${email}${hint}`);
}

/** Serializes changes of a user and sign-ins. */
export async function lockUserRow(tx: Tx, id: string, merchantId?: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM merchant_user
    WHERE id = ${id} AND merchant_id IS NOT DISTINCT FROM coalesce(${merchantId ?? null}, merchant_id) FOR NO KEY UPDATE`;
}

/** Locks the users with these emails that are not removed, ordered by ID to avoid deadlocks. */
export async function lockUserRows(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM merchant_user WHERE email = ANY(${[...emails]}::text[]) AND removed_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`;
}

/**
 * Returns the signed-in user's current row, locked until the end of the transaction. Throws `unauthenticated`
 * if the session has ended or the user was removed since the request was authenticated.
 */
export async function lockSessionUser(
  tx: Tx,
  { user, session }: { user: { id: string }; session: { id: string } },
): Promise<MerchantUser> {
  await lockUserRow(tx, user.id);
  const sessionRow = await tx.userSession.findUnique({ where: { id: session.id }, include: { user: true } });
  if (!sessionRow || sessionRow.user.removedAt !== null)
    throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return sessionRow.user;
}
