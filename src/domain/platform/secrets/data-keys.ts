import type pg from 'pg';
import { formatNotice, noticeChannel } from '../../../event/notice.ts';
import { advisoryLocks } from '../../../kit/advisory-locks.ts';
import {
  activatePendingAppSecret,
  readAppSecret,
  readOrCreateAppSecret,
  readPendingAppSecret,
} from '../../../kit/app-secret.ts';
import type { ImportedKeyRow } from '../../../kit/derived-keys.ts';
import {
  type DataKeys,
  getFingerprint,
  newDataKey,
  unwrapDataKey,
  wrapDataKey,
} from '../../../kit/secrets.ts';
import type { Queryable } from '../../../kit/with-client.ts';

/** The topic of the change notice on which processes reload the data keys. */
export const secretsTopic = 'secrets';

/** The source of APP_SECRET: the environment or, if it is not set there, files in DATA_DIR. */
export type SecretSources = {
  appSecret: string | undefined;
  /** The previous secret during a rotation of APP_SECRET. */
  appSecretPrevious: string | undefined;
  dataDir: string;
};

type DataKeyRow = {
  id: string;
  wrappedKey: string;
  wrappedBy: string;
  activatedAt: Date | null;
  retiredAt: Date | null;
};

/**
 * Returns the unwrapped data keys of this database. If there is none, creates one and, if APP_SECRET is not set, also
 * the secret in DATA_DIR. Throws an `Error` with instructions if the keys cannot be unwrapped.
 */
export async function readDataKeys(db: Queryable, sources: SecretSources): Promise<DataKeys> {
  const { rows } = await db.query<DataKeyRow>(
    `SELECT id, wrapped_key AS "wrappedKey", wrapped_by AS "wrappedBy", activated_at AS "activatedAt",
       retired_at AS "retiredAt"
     FROM data_key ORDER BY created_at DESC, id`,
  );
  const current = rows.find(({ activatedAt, retiredAt }) => activatedAt !== null && retiredAt === null);
  if (!current) {
    await createFirstDataKey(db, sources);
    return readDataKeys(db, sources);
  }
  const secret = await findWrappingSecret(sources, current.wrappedBy);
  // A rotation of the app secret was interrupted between its commit and the renaming of the file with the new
  // secret.
  if (sources.appSecret === undefined && (await readAppSecret(sources.dataDir)) !== secret)
    await activatePendingAppSecret(sources.dataDir, new Date());
  const { rows: imported } = await db.query<ImportedKeyRow>(
    'SELECT merchant_id AS "merchantId", id, keys_encrypted AS "keysEncrypted" FROM imported_signing_key',
  );
  return {
    imported,
    current: unwrapDataKey(secret, current),
    others: rows.filter((row) => row !== current).map((row) => unwrapDataKey(secret, row)),
  };
}

/**
 * Returns the configured secret that wraps the data keys. Throws an `Error` with instructions if there is none.
 */
export async function findWrappingSecret(sources: SecretSources, wrappedBy: string): Promise<string> {
  const secrets = await readConfiguredSecrets(sources);
  const secret = secrets.find((candidate) => getFingerprint(candidate) === wrappedBy);
  if (secret === undefined)
    throw new Error(
      sources.appSecret === undefined
        ? `The app secret that encrypts this database is missing or different: restore ${sources.dataDir}/app-secret, or set APP_SECRET`
        : 'APP_SECRET does not match this database: set the secret that encrypts it',
    );
  return secret;
}

async function readConfiguredSecrets({
  appSecret,
  appSecretPrevious,
  dataDir,
}: SecretSources): Promise<string[]> {
  const candidates =
    appSecret === undefined
      ? [await readAppSecret(dataDir), await readPendingAppSecret(dataDir)]
      : [appSecret, appSecretPrevious];
  return candidates.filter((secret) => secret !== undefined);
}

async function createFirstDataKey(db: Queryable, { appSecret, dataDir }: SecretSources): Promise<void> {
  const { rows } = await db.query('SELECT 1 FROM merchant LIMIT 1');
  if (rows.length > 0)
    throw new Error(
      'This database was created by an unreleased version whose secrets cannot be read: start with a new database',
    );
  const secret = appSecret ?? (await readOrCreateAppSecret(dataDir));
  await insertDataKey(db, { secret, activatedAt: new Date(), now: new Date() });
}

/** Inserts a wrapped data key. Of two concurrent calls, only one inserts its key; the other has no effect. */
export async function insertDataKey(
  db: Queryable,
  { secret, activatedAt, now }: { secret: string; activatedAt: Date | null; now: Date },
): Promise<void> {
  const key = newDataKey();
  await db.query(
    `INSERT INTO data_key (id, wrapped_key, wrapped_by, created_at, activated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [key.id, wrapDataKey(secret, key), getFingerprint(secret), now, activatedAt],
  );
}

/** Notifies every process to reload the data keys. */
export async function notifyProcesses(client: Queryable): Promise<void> {
  const notice = formatNotice({ objectId: secretsTopic, merchantId: 'none', mode: 'live' });
  await client.query('SELECT pg_notify($1, $2)', [noticeChannel, notice]);
}

/**
 * Prevents concurrent rotations: throws if another connection holds the lock. The lock is held until the
 * connection ends.
 */
export async function lockSecrets(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isLocked"',
    [advisoryLocks.rotateSecrets],
  );
  if (!rows[0]?.isLocked) throw new Error('Another command is rotating the secrets of this database');
}
