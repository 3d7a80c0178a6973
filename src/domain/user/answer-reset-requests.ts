import type { MerchantUser } from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { hourMs, minuteMs } from '../../kit/duration.ts';
import { sha256 } from '../../kit/secrets.ts';
import { newToken } from '../../kit/token.ts';
import { enqueueMessage } from '../../message/enqueue-message.ts';
import { passwordResetMail } from '../../message/mails/password-reset-mail.ts';
import type { Service } from '../service.ts';
import { holdUser } from './lock-user.ts';
import { triesKeptMs } from './open-try.ts';

const batch = 50;
const linkMinutes = 60;
/** Mails an hour to one user; asking more often changes nothing. */
const mailsMax = 3;
const mailsWindowMs = hourMs;

type Request = { id: bigint; email: string; address: string; createdAt: Date };

/**
 * Works off what `requestPasswordReset` noted: mails each user who asked a link to set a new password, for one use
 * within an hour. A new link ends the one before. For an address of nobody nothing happens.
 */
export async function answerResetRequests(service: Service, options: { now: Date }): Promise<number> {
  let answered = 0;
  for (;;) {
    const count = await transact(service, async (tx) => {
      const requests = await tx.$queryRaw<Request[]>`
        SELECT id, email, address, created_at AS "createdAt" FROM password_reset_request
        ORDER BY id LIMIT ${batch} FOR UPDATE SKIP LOCKED`;
      for (const request of requests) await answer(service, tx, { request, now: options.now });
      await tx.passwordResetRequest.deleteMany({ where: { id: { in: requests.map(({ id }) => id) } } });
      return requests.length;
    });
    answered += count;
    if (count < batch) return answered;
  }
}

async function answer(
  service: Service,
  tx: Tx,
  { request, now }: { request: Request; now: Date },
): Promise<void> {
  // What waited for a day, because no worker ran, is no longer wanted.
  if (now.getTime() - request.createdAt.getTime() > triesKeptMs) return;
  const user = await tx.merchantUser.findFirst({
    where: { email: request.email, disabledAt: null },
    include: { merchant: { select: { disabledAt: true } } },
  });
  if (!user || user.merchant?.disabledAt) return;
  // Two workers with requests of one user take turns.
  await holdUser(tx, user.id);
  if (await hasHadEnough(tx, user, now)) return;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + linkMinutes * minuteMs);
  const data = { tokenHash: sha256(token), createdAt: now, expiresAt };
  await tx.passwordReset.upsert({
    where: { userId: user.id },
    create: { userId: user.id, ...data },
    update: data,
  });
  await enqueueMessage(service, tx, {
    merchantId: user.merchantId,
    mode: null,
    audience: 'team',
    kind: 'password-reset',
    channel: 'email',
    to: user.email,
    language: 'en',
    content: passwordResetMail('en', {
      url: `${service.settings.publicUrl}/dashboard/reset-password#${token}`,
      minutes: linkMinutes,
      address: request.address,
    }),
    dedupeKey: `password-reset ${request.id}`,
    expiresAt,
    now,
  });
}

async function hasHadEnough(tx: Tx, { email }: MerchantUser, now: Date): Promise<boolean> {
  const createdAt = { gt: new Date(now.getTime() - mailsWindowMs) };
  const mails = await tx.message.count({ where: { kind: 'password-reset', recipient: email, createdAt } });
  return mails >= mailsMax;
}
