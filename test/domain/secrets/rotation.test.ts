import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { createWebhook } from '../../../src/domain/accounts/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../../src/domain/accounts/webhook/update-webhook.ts';
import { createCancelToken, isCancelToken } from '../../../src/domain/payments/checkout/page-tokens.ts';
import { readDataKeys, secretsTopic } from '../../../src/domain/platform/secrets/data-keys.ts';
import { rotateAppSecret } from '../../../src/domain/platform/secrets/rotate-app-secret.ts';
import {
  deleteRetiredDataKeys,
  type Rotation,
  rotateDataKey,
} from '../../../src/domain/platform/secrets/rotate-data-key.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { closeDb, openDb } from '../../../src/kit/db.ts';
import { encryptedColumns, openKeyring } from '../../../src/kit/secrets.ts';
import { withClient } from '../../../src/kit/with-client.ts';
import { createHub } from '../../../src/live/hub.ts';
import { listen } from '../../../src/live/listen.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { setupDatabase } from '../../setup/database.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { testAppSecret as first, setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** The secrets are rotated while several processes work on one database, each with its own keyring. */

const second = 'the second secret of this test, long enough';
const keptAnswers = 1_100;
const charge = { id: 'ch_1', mode: 'live' } as const;

let merchant: NewMerchant;
let database: string;
let service: Service;

beforeAll(async () => {
  const started = await setupService(onCleanup);
  service = started;
  database = started.connectionString;
  merchant = await seedMerchant(service);
  const merchantId = merchant.merchant.id;
  const values = Array.from({ length: keptAnswers }, (_, i) =>
    service.secrets.encrypt(`answer ${i}`, 'idempotency_key.response_encrypted', [
      merchantId,
      'live',
      `key ${i}`,
    ]),
  );
  await started.pool.query(
    `INSERT INTO idempotency_key (merchant_id, mode, key, fingerprint, status, response_encrypted, created_at, expires_at)
     SELECT $1, 'live', 'key ' || i - 1, 'none', 200, value, now(), now() + interval '1 day'
     FROM unnest($2::text[]) WITH ORDINALITY AS given (value, i)`,
    [merchantId, values],
  );
});

const envOf = (appSecret: string, appSecretPrevious?: string) => ({
  appSecret,
  appSecretPrevious,
  dataDir: '',
});
type Sources = ReturnType<typeof envOf>;

type Process = Service & { stop: () => Promise<void> };

/** A process of the service as far as secrets go: a pool, a connection on which it listens, and its own keyring. */
async function startProcess(sources: Sources): Promise<Process> {
  const onError = (error: Error) => console.error(error);
  const secrets = await openKeyring(() => withClient(database, (client) => readDataKeys(client, sources)));
  const db = openDb({ connectionString: database, poolSize: 3, onError });
  const hub = createHub();
  const listener = await listen(database, hub, onError);
  hub.subscribe(secretsTopic, () => void secrets.reload().catch(onError));
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= listener.stop().then(() => closeDb(db));
    return stopped;
  };
  onCleanup(stop);
  return { ...db, secrets, settings: service.settings, stop };
}

function rotateKey(
  sources: Sources,
  onProgress: (line: string, backend: number) => unknown = () => {},
): Promise<Rotation> {
  return withClient(database, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return rotateDataKey(client, {
      sources,
      announceMs: 500,
      onProgress: (line) => onProgress(line, rows[0].pid),
    });
  });
}

const rotateSecret = (sources: Sources) =>
  withClient(database, (client) =>
    rotateAppSecret(client, { sources, getNewSecret: async () => sources.appSecret }),
  );

const forget = (sources: Sources, now: Date) =>
  withClient(database, (client) => deleteRetiredDataKeys(client, { sources, now, onProgress: () => {} }));

const currentKey = async (sources: Sources) =>
  (await withClient(database, (client) => readDataKeys(client, sources))).current.id;

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** How many values there are, and how many of them are encrypted under this data key. */
async function countValues(dataKeyId: string): Promise<{ all: number; under: number }> {
  const counts = { all: 0, under: 0 };
  for (const name of Object.keys(encryptedColumns)) {
    const [table, column] = name.split('.');
    const { rows } = await service.pool.query(
      `SELECT count("${column}")::int AS all, count(*) FILTER (WHERE starts_with("${column}", $1))::int AS under
       FROM "${table}"`,
      [`${dataKeyId}.`],
    );
    counts.all += rows[0].all;
    counts.under += rows[0].under;
  }
  return counts;
}

/** Webhooks are created, changed and read by all processes in turn; each reads what any other has written. */
async function work(processes: Process[], progress: { isOver: boolean; done: number }): Promise<void> {
  const own = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test' };
  const any = () => processes[Math.floor(Math.random() * processes.length)]!;
  const workOnOne = async () => {
    const input = { url: 'https://shop.example/hooks', username: 'shop', password: 'word 0', isSigned: true };
    const created = await createWebhook(any(), { ...own, input, now: noon });
    const { id } = created.webhook;
    let { signingSecret } = created;
    const token = createCancelToken(any().secrets, charge);
    for (let i = 1; !progress.isOver || i < 5; i++) {
      const password = `word ${i}`;
      await updateWebhook(any(), { ...own, id, input: { password }, now: noon });
      const before = signingSecret;
      // Each after the overlap of the one before.
      const now = minutesAfter(noon, 60 * i);
      ({ signingSecret } = await rotateWebhookSecret(any(), { ...own, id, overlapHours: 1, now }));
      const { prisma, secrets } = any();
      const row = await prisma.webhook.findUniqueOrThrow({ where: { id } });
      expect([
        await secrets.decrypt(row.passwordEncrypted, 'webhook.password_encrypted', id),
        await secrets.decrypt(row.signingSecretEncrypted!, 'webhook.signing_secret_encrypted', id),
        await secrets.decrypt(
          row.previousSigningSecretEncrypted!,
          'webhook.previous_signing_secret_encrypted',
          id,
        ),
      ]).toEqual([password, signingSecret, before]);
      expect(isCancelToken(any().secrets, charge, token)).toBe(true);
      expect(isCancelToken(any().secrets, charge, createCancelToken(any().secrets, charge))).toBe(true);
      progress.done++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, workOnOne));
}

/** Runs an action while the processes work. */
async function whileWorking<T>(processes: Process[], action: () => Promise<T>): Promise<T> {
  const progress = { isOver: false, done: 0 };
  const worked = work(processes, progress);
  try {
    await expect.poll(() => progress.done).toBeGreaterThan(0);
    return await action();
  } finally {
    progress.isOver = true;
    await worked;
    expect(progress.done).toBeGreaterThan(10);
  }
}

/** Each test begins where the one before has left the secrets. */
describe('rotation', () => {
  test('of the app secret changes no value and no process that runs; one that starts needs the new secret', async () => {
    const processes = await Promise.all([startProcess(envOf(first)), startProcess(envOf(first))]);
    const before = await countValues(await currentKey(envOf(first)));
    expect(before.under).toBe(before.all);
    const token = createCancelToken(processes[0]!.secrets, charge);
    await whileWorking(processes, () => rotateSecret(envOf(second, first)));
    const later = await startProcess(envOf(second));
    expect(isCancelToken(later.secrets, charge, token)).toBe(true);
    const { all, under } = await countValues(await currentKey(envOf(second)));
    expect(under).toBe(all);
    await expect(startProcess(envOf(first))).rejects.toThrow(/^APP_SECRET does not match/);
    // A dump of the database reveals neither secret, nor the data key.
    const { current } = await withClient(database, (client) => readDataKeys(client, envOf(second)));
    const { rows } = await service.pool.query('SELECT to_jsonb(data_key)::text AS row FROM data_key');
    for (const hidden of [first, second, current.bytes.toString('base64'), current.bytes.toString('hex')])
      expect(rows[0].row).not.toContain(hidden);
    await Promise.all([...processes, later].map(({ stop }) => stop()));
  });

  test('of the data key is resumed after a kill, and no process that works notices', async () => {
    const processes = await Promise.all([1, 2, 3].map(() => startProcess(envOf(second))));
    const old = await currentKey(envOf(second));
    await whileWorking(processes, async () => {
      const killed = rotateKey(envOf(second), (line, backend) =>
        // The database sees a kill like this: the connection is gone.
        line.startsWith('certificate')
          ? service.pool.query('SELECT pg_terminate_backend($1)', [backend])
          : null,
      );
      await expect(killed).rejects.toThrow(/terminat|connection/i);
      expect((await countValues(old)).under).toBeGreaterThan(0);
      await expect(forget(envOf(second), inAnHour())).rejects.toThrow(/interrupted/);
      const atOnce = await Promise.allSettled([rotateKey(envOf(second)), rotateKey(envOf(second))]);
      expect(atOnce.filter(({ status }) => status === 'rejected')).toMatchObject([
        { reason: { message: 'Another command is rotating the secrets of this database' } },
      ]);
      const [resumed] = atOnce.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(resumed).toMatchObject({
        isResumed: true,
        reencrypted: { 'idempotency_key.response_encrypted': keptAnswers },
      });
    });
    const { all, under } = await countValues(await currentKey(envOf(second)));
    expect(under).toBeGreaterThan(keptAnswers);
    // A transaction that encrypted before the rotation may commit after the last pass.
    expect(all - under).toBeLessThan(processes.length * 4);
    await expectInvariants(service);
    await Promise.all(processes.map(({ stop }) => stop()));
  });

  test('of the data key ends old signatures and deletes the old key only when it is forgotten', async () => {
    const sources = envOf(second);
    const [running, behind] = [await startProcess(sources), await startProcess(sources)];
    const { others } = await withClient(database, (client) => readDataKeys(client, sources));
    const old = await openKeyring(async () => ({ current: others[0]!, others: [] }));
    const token = createCancelToken(old, charge);
    expect(isCancelToken(running.secrets, charge, token)).toBe(true);
    await expect(forget(sources, new Date())).rejects.toThrow(/run this command after 20/);
    const key = { merchantId: merchant.merchant.id, mode: 'live', key: 'key 1' } as const;
    const row = [key.merchantId, key.mode, key.key] as const;
    const where = { merchantId_mode_key: key };
    const late = old.encrypt('late', 'idempotency_key.response_encrypted', row);
    await service.prisma.idempotencyKey.update({ where, data: { responseEncrypted: late } });

    await expect(forget(sources, inAnHour())).rejects.toThrow(/1 values were still encrypted/);
    expect(isCancelToken(running.secrets, charge, token)).toBe(true);
    expect(await forget(sources, inAnHour())).toBe(1);
    expect(await forget(sources, inAnHour())).toBe(0);
    const { all, under } = await countValues(await currentKey(sources));
    expect(all - under).toBe(0);
    const { responseEncrypted } = await service.prisma.idempotencyKey.findUniqueOrThrow({ where });
    expect(await running.secrets.decrypt(responseEncrypted, 'idempotency_key.response_encrypted', row)).toBe(
      'late',
    );
    await expect.poll(() => isCancelToken(running.secrets, charge, token)).toBe(false);
    await expect.poll(() => isCancelToken(behind.secrets, charge, token)).toBe(false);
    await expect(running.secrets.decrypt(late, 'idempotency_key.response_encrypted', row)).rejects.toThrow(
      'a data key that no longer exists',
    );
    await Promise.all([running.stop(), behind.stop()]);
  });

  test('of the data key reports a value that cannot be decrypted, re-encrypts the rest, and succeeds without it', async () => {
    const sources = envOf(second);
    const broken = { key: 'key 2' };
    await service.prisma.idempotencyKey.updateMany({ where: broken, data: { responseEncrypted: 'none.x' } });
    await expect(rotateKey(sources)).rejects.toThrow(
      /^1 values were not re-encrypted, the first: idempotency_key.response_encrypted:mer_\w+:live:key 2 is encrypted/,
    );
    const { all, under } = await countValues(await currentKey(sources));
    expect(all - under).toBe(1);
    await service.prisma.idempotencyKey.deleteMany({ where: broken });
    expect(await rotateKey(sources)).toMatchObject({ isResumed: true });
    expect(await rotateKey(sources)).toMatchObject({ isResumed: false });
    const { others } = await withClient(database, (client) => readDataKeys(client, sources));
    expect(others).toHaveLength(2);
  });
});

test('of two processes that start first with different secrets, one is refused', async () => {
  const { connectionString } = await setupDatabase(onCleanup);
  const outcomes = await Promise.allSettled(
    [first, second].map((secret) =>
      withClient(connectionString, (client) => readDataKeys(client, envOf(secret))),
    ),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a database with merchants and no data key was written by an unreleased version, and is refused', async () => {
  const old = await setupService(onCleanup);
  await seedMerchant(old);
  await old.pool.query('DELETE FROM data_key');
  await expect(
    withClient(old.connectionString, (client) => readDataKeys(client, envOf(first))),
  ).rejects.toThrow(/^This database was created by an unreleased version/);
});
