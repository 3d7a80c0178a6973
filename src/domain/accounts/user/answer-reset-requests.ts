import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import { passwordResetMail } from '../../../message/mails/password-reset-mail.ts';
import type { Service } from '../../platform/service.ts';
import { holdUsers } from './lock-user.ts';
import { triesKeptMs } from './open-try.ts';

const batchSize = 50;
const linkMinutes = 60;

type Request = { id: bigint; email: string; address: string; createdAt: Date };

/**
 * Works off what `requestPasswordReset` noted: mails each user who asked a link to set a new password, for one use
 * within an hour. A new link ends the one before. Beyond the limit of mails to an address they are skipped.
 */
export async function answerResetRequests(
  service: Service,
  { now, signal }: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const failed = 'some password reset requests could not be processed';
  return processDue({ batchSize, failed, signal }, (batch) =>
    transact(service, (uow) => answerSome(uow, { now, batch })),
  );
}

async function answerSome(
  uow: UnitOfWork<Service>,
  { now, batch }: { now: Date; batch: DueBatch },
): Promise<number> {
  const { tx } = uow;
  const requests = await tx.$queryRaw<Request[]>`
    SELECT id, email, address, created_at AS "createdAt" FROM password_reset_request
    WHERE id <> ALL(${[...batch.except]}::bigint[])
    ORDER BY id LIMIT ${batch.limit} FOR UPDATE SKIP LOCKED`;
  batch.onFound(requests.map(({ id }) => String(id)));
  if (requests.length === 0) return 0;
  // What waited for a day, because no worker ran, is no longer wanted.
  const wanted = requests.filter(({ createdAt }) => now.getTime() - createdAt.getTime() <= triesKeptMs);
  await answer(uow, { answered: await withUsers(tx, wanted), now });
  await tx.passwordResetRequest.deleteMany({ where: { id: { in: requests.map(({ id }) => id) } } });
  return requests.length;
}

type Answered = { request: Request; user: MerchantUser; token: string };

/** The requests of users who may sign in. Those of one user get one token, since their mails may arrive in any order. */
async function withUsers(tx: Tx, requests: readonly Request[]): Promise<Answered[]> {
  const emails = [...new Set(requests.map(({ email }) => email))];
  // Two workers with requests of one user take turns.
  await holdUsers(tx, emails);
  const users = await tx.merchantUser.findMany({
    where: { email: { in: emails }, disabledAt: null },
    include: { merchant: { select: { disabledAt: true } } },
  });
  const userOf = new Map(
    users
      .filter(({ merchant }) => !merchant?.disabledAt)
      .map((user) => [user.email, { user, token: newToken() }]),
  );
  return requests.flatMap((request) => {
    const found = userOf.get(request.email);
    return found ? [{ request, ...found }] : [];
  });
}

async function answer(
  uow: UnitOfWork<Service>,
  { answered, now }: { answered: readonly Answered[]; now: Date },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + linkMinutes * minuteMs);
  const mails = answered.map((one) => mailOf(uow, one, { now, expiresAt }));
  const enqueued = await enqueueMessages(uow, mails);
  // Where all mails of a user are skipped, the link that was mailed before stays valid.
  const skipped = new Set(enqueued.flatMap((mail) => (mail.status === 'skipped' ? mail.dedupeKey : [])));
  const mailed = answered.filter((_, i) => !skipped.has(mails[i]!.dedupeKey));
  const links = new Map(mailed.map(({ user, token }) => [user.id, sha256(token)]));
  await uow.tx.passwordReset.deleteMany({ where: { userId: { in: [...links.keys()] } } });
  await uow.tx.passwordReset.createMany({
    data: [...links].map(([userId, tokenHash]) => ({ userId, tokenHash, createdAt: now, expiresAt })),
  });
}

function mailOf(
  { settings }: Service,
  { request, user, token }: Answered,
  times: { now: Date; expiresAt: Date },
): MessageInput {
  return {
    merchantId: user.merchantId,
    mode: null,
    audience: 'team',
    trigger: 'anonymous',
    kind: 'password-reset',
    channel: 'email',
    to: user.email,
    language: 'en',
    content: passwordResetMail('en', {
      url: `${settings.publicUrl}/dashboard/reset-password#${token}`,
      minutes: linkMinutes,
      address: request.address,
    }),
    dedupeKey: `password-reset ${request.id}`,
    ...times,
  };
}
