import type { IdempotencyKey, Mode } from '../../../../prisma/client/client.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Sql } from '../../../kit/sql.ts';
import type { Service } from '../service.ts';

/** Only successful responses are stored. */
export type IdempotentResponse<Body = unknown> = { status: number; body: Body };

export type IdempotentRequest = {
  merchantId: string;
  mode: Mode;
  key: string;
  /** The canonical form of the request. Reusing a key with different content is an error. */
  content: string;
  retentionMs: number;
  now: Date;
};

type StoredResponseRow = Pick<IdempotencyKey, 'fingerprint' | 'status' | 'responseEncrypted'>;

export async function findStoredResponse<Body>(
  { secrets }: Service,
  tx: Sql,
  { merchantId, mode, key, content, now }: IdempotentRequest,
): Promise<IdempotentResponse<Body> | undefined> {
  const [row] = await tx.$queryRawUnsafe<StoredResponseRow[]>(
    `SELECT fingerprint, status, response_encrypted AS "responseEncrypted" FROM idempotency_key
      WHERE merchant_id = $1 AND mode = $2::mode AND key = $3 AND expires_at > $4::timestamptz`,
    ...[merchantId, mode, key, now.toISOString()],
  );
  if (!row) return undefined;
  if (row.fingerprint !== sha256(content)) throw new DomainError('idempotency_key_reused');
  const rowKey = [merchantId, mode, key] as const;
  const text = await secrets.decrypt(row.responseEncrypted, 'idempotency_key.response_encrypted', rowKey);
  return { status: row.status, body: JSON.parse(text) };
}

export async function storeResponse(
  { secrets }: Service,
  tx: Sql,
  { response, ...request }: IdempotentRequest & { response: IdempotentResponse },
): Promise<void> {
  const { merchantId, mode, key, now } = request;
  const body = JSON.stringify(response.body);
  const expiresAt = new Date(now.getTime() + request.retentionMs);
  await tx.$executeRawUnsafe(
    storeSql,
    ...[merchantId, mode, key, sha256(request.content), response.status],
    secrets.encrypt(body, 'idempotency_key.response_encrypted', [merchantId, mode, key]),
    ...[now.toISOString(), expiresAt.toISOString()],
  );
}

/**
 * The caller holds a lock on the key and has found no valid response (`findStoredResponse`), so a conflicting
 * row can only be an expired one that has not been pruned yet.
 */
const storeSql = `
  INSERT INTO idempotency_key
    (merchant_id, mode, key, fingerprint, status, response_encrypted, created_at, expires_at)
  VALUES ($1, $2::mode, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz)
  ON CONFLICT (merchant_id, mode, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
    response_encrypted = excluded.response_encrypted, created_at = excluded.created_at, expires_at = excluded.expires_at`;
