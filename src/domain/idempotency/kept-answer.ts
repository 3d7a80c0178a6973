import type { IdempotencyKey, Mode } from '../../../prisma/client/client.ts';
import { isUnitOfWork } from '../../event/unit-of-work.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { queryPrepared } from '../../kit/prepared.ts';
import { sha256 } from '../../kit/secrets.ts';
import type { Service } from '../service.ts';

/** What a request answered: only answers of success are kept. */
export type Answer<Body = unknown> = { status: number; body: Body };

/** Whose key, and what is asked under it. */
export type Asked = {
  merchantId: string;
  mode: Mode;
  /** The caller's Idempotency-Key. */
  key: string;
  /** What is asked, in a canonical form: the same key with another content is refused. */
  content: string;
  keepMs: number;
  now: Date;
};

type KeptAnswer = Pick<IdempotencyKey, 'fingerprint' | 'status' | 'answerEncrypted'>;

/** Asked with every key, and nearly always new: past Prisma, but for one who asks within a transaction. */
export async function findKnown<Body>(service: Service, request: Asked): Promise<Answer<Body> | undefined> {
  if (isUnitOfWork(service)) return findAnswer(service, request);
  const { merchantId, mode, key, now } = request;
  const [row] = await queryPrepared<KeptAnswer>(
    service.pool,
    `SELECT fingerprint, status, answer_encrypted AS "answerEncrypted" FROM idempotency_key
      WHERE merchant_id = $1 AND mode = $2::mode AND key = $3 AND expires_at > $4`,
    [merchantId, mode, key, now],
  );
  return row && readAnswer(service, request, row);
}

export async function findAnswer<Body>(service: Service, request: Asked): Promise<Answer<Body> | undefined> {
  const { merchantId, mode, key, now } = request;
  const row = await service.prisma.idempotencyKey.findFirst({
    where: { merchantId, mode, key, expiresAt: { gt: now } },
  });
  return row ? readAnswer(service, request, row) : undefined;
}

async function readAnswer<Body>(
  { secrets }: Service,
  { merchantId, mode, key, content }: Asked,
  row: KeptAnswer,
): Promise<Answer<Body>> {
  if (row.fingerprint !== sha256(content)) throw new DomainError('idempotency_key_reused');
  const text = await secrets.decrypt(row.answerEncrypted, 'idempotency_key.answer_encrypted', [
    merchantId,
    mode,
    key,
  ]);
  return { status: row.status, body: JSON.parse(text) };
}

/** The row that keeps an answer, encrypted. */
export function keptRow(service: Service, request: Asked, answer: Answer): IdempotencyKey {
  const { merchantId, mode, key, now } = request;
  const body = JSON.stringify(answer.body);
  const row = [merchantId, mode, key] as const;
  return {
    merchantId,
    mode,
    key,
    fingerprint: sha256(request.content),
    status: answer.status,
    answerEncrypted: service.secrets.encrypt(body, 'idempotency_key.answer_encrypted', row),
    createdAt: now,
    expiresAt: new Date(now.getTime() + request.keepMs),
  };
}

export async function keepAnswer(tx: Tx, row: IdempotencyKey): Promise<void> {
  const { merchantId, mode, key } = row;
  // A row under the key can only be one that has expired and was not pruned yet.
  await tx.idempotencyKey.upsert({
    where: { merchantId_mode_key: { merchantId, mode, key } },
    create: row,
    update: row,
  });
}
