import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { getClientNetwork } from '../../../kit/client-network.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import { passwordResetMail } from '../../../message/mails/password-reset-mail.ts';
import type { Service } from '../../platform/service.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './create-user.ts';
import { lockUserRows } from './lock-user.ts';
import { attemptRetentionMs, markAttemptsSuccessful, recordAttempt } from './record-attempt.ts';
import { setPassword } from './set-password.ts';

/**
 * Sets a new password with the token of an emailed link, which works once, and returns the user's email
 * address. Ends every session of the user. Two-factor authentication stays enabled.
 * Errors: `rate_limited`, `link_invalid`; 400 for an unacceptable password, which does not use up the link.
 */
export async function resetPassword(
  service: Service,
  options: { token: string; newPassword: string; ipAddress: string; now: Date },
): Promise<string> {
  const { ipAddress, now } = options;
  const tokenHash = sha256(options.token);
  const attemptId = await recordAttempt(service, { kind: 'link', account: 'reset', ipAddress, now });
  const reset = await service.prisma.passwordReset.findFirst({
    where: { tokenHash, expiresAt: { gt: now }, user: { removedAt: null } },
    include: { user: { include: { merchant: { select: { name: true, displayName: true } } } } },
  });
  if (!reset) throw invalidLinkError();
  await markAttemptsSuccessful(service, attemptId);
  const { user } = reset;
  const names = [user.name, user.merchant?.name ?? null, user.merchant?.displayName ?? null];
  const password = checkPassword(options.newPassword, { email: user.email, names, path: '/newPassword' });
  const passwordHash = await hashPassword(password);
  await transact(service, async (uow) => {
    const { count } = await uow.tx.passwordReset.deleteMany({ where: { tokenHash, expiresAt: { gt: now } } });
    if (count === 0) throw invalidLinkError();
    await setPassword(uow, {
      user,
      passwordHash,
      action: 'user.password_reset',
      actor: `user:${user.id}`,
      ipAddress,
      now,
    });
  });
  return user.email;
}

export function invalidLinkError(): DomainError {
  return new DomainError('link_invalid', 'The link is invalid, already used or expired');
}

/** The object ID of the change notice that wakes a worker to process requests. */
export const resetRequestTopic = 'reset_requests';

/**
 * Stores a password reset request, which a worker processes (`processResetRequests`). Does not look up the
 * user, so that known and unknown email addresses get the same response in the same time. Returns the folded
 * email address.
 * Errors: `invalid_request`, `rate_limited` by client network.
 */
export async function requestPasswordReset(
  db: Db,
  options: { email: string; ipAddress: string; now: Date },
): Promise<string> {
  const { now } = options;
  const email = foldEmail(parseEmail(options.email, '/email'));
  const network = getClientNetwork(options.ipAddress);
  await recordAttempt(db, { kind: 'password_reset', account: email, ipAddress: network, now });
  await transact(db, async (uow) => {
    await uow.tx.passwordResetRequest.create({ data: { email, ipAddress: network, createdAt: now } });
    announceChange(uow, { objectId: resetRequestTopic });
  });
  return email;
}

const batchSize = 50;
const linkMinutes = 60;

type ResetRequest = { id: bigint; email: string; ipAddress: string; createdAt: Date };

/**
 * Processes the requests stored by `requestPasswordReset`: emails each user a link to set a new password,
 * which works once within an hour and invalidates the previous link. Requests that exceed the limit of emails
 * to an address are skipped. Returns the number of processed requests.
 */
export async function processResetRequests(
  service: Service,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const failureMessage = 'some password reset requests could not be processed';
  return processDue({ batchSize, failureMessage, signal }, (batch) =>
    transact(service, (uow) => processBatch(uow, { now, batch })),
  );
}

async function processBatch(
  uow: UnitOfWork<Service>,
  { now, batch }: { now: Date; batch: DueBatch },
): Promise<number> {
  const { tx } = uow;
  const requests = await tx.$queryRaw<ResetRequest[]>`
    SELECT id, email, ip_address AS "ipAddress", created_at AS "createdAt" FROM password_reset_request
    WHERE id <> ALL(${[...batch.excludedIds]}::bigint[])
    ORDER BY id LIMIT ${batch.limit} FOR UPDATE SKIP LOCKED`;
  batch.onLocked(requests.map(({ id }) => String(id)));
  if (requests.length === 0) return 0;
  // Requests that no worker processed within a day are dropped.
  const recentRequests = requests.filter(
    ({ createdAt }) => now.getTime() - createdAt.getTime() <= attemptRetentionMs,
  );
  await sendResetLinks(uow, { resetLinks: await createResetLinks(tx, recentRequests), now });
  await tx.passwordResetRequest.deleteMany({ where: { id: { in: requests.map(({ id }) => id) } } });
  return requests.length;
}

type ResetLink = { request: ResetRequest; user: MerchantUser; token: string };

/**
 * Returns the links for requests of users who may sign in. All requests of one user in the batch share a token, because
 * only one token per user is stored and the emails may arrive in any order.
 */
async function createResetLinks(tx: Tx, requests: readonly ResetRequest[]): Promise<ResetLink[]> {
  const emails = [...new Set(requests.map(({ email }) => email))];
  // Serializes workers that process requests of the same user.
  await lockUserRows(tx, emails);
  const users = await tx.merchantUser.findMany({
    where: { email: { in: emails }, removedAt: null },
    include: { merchant: { select: { disabledAt: true, moveStatus: true } } },
  });
  const linksByEmail = new Map(
    users
      .filter(({ merchant }) => !merchant?.disabledAt && !merchant?.moveStatus)
      .map((user) => [user.email, { user, token: newToken() }]),
  );
  return requests.flatMap((request) => {
    const link = linksByEmail.get(request.email);
    return link ? [{ request, ...link }] : [];
  });
}

async function sendResetLinks(
  uow: UnitOfWork<Service>,
  { resetLinks, now }: { resetLinks: readonly ResetLink[]; now: Date },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + linkMinutes * minuteMs);
  const mails = resetLinks.map((resetLink) => toResetMail(uow, resetLink, { now, expiresAt }));
  const messages = await enqueueMessages(uow, mails);
  // If all emails to a user are skipped, the previous link stays valid.
  const skippedKeys = new Set(messages.flatMap((mail) => (mail.status === 'skipped' ? mail.dedupeKey : [])));
  const mailedLinks = resetLinks.filter((_, i) => !skippedKeys.has(mails[i]!.dedupeKey));
  const tokenHashes = new Map(mailedLinks.map(({ user, token }) => [user.id, sha256(token)]));
  await uow.tx.passwordReset.deleteMany({ where: { userId: { in: [...tokenHashes.keys()] } } });
  await uow.tx.passwordReset.createMany({
    data: [...tokenHashes].map(([userId, tokenHash]) => ({ userId, tokenHash, createdAt: now, expiresAt })),
  });
}

function toResetMail(
  { settings }: Service,
  { request, user, token }: ResetLink,
  times: { now: Date; expiresAt: Date },
): MessageInput {
  return {
    merchantId: user.merchantId,
    mode: null,
    audience: 'staff',
    trigger: 'anonymous',
    kind: 'password-reset',
    channel: 'email',
    to: user.email,
    language: 'en',
    content: passwordResetMail({
      url: `${settings.publicUrl}/dashboard/reset-password#${token}`,
      minutes: linkMinutes,
      ipAddress: request.ipAddress,
    }),
    dedupeKey: `password-reset ${request.id}`,
    ...times,
  };
}
