import { describe, expect, onTestFinished } from 'vitest';
import { createWebhook } from '../../../src/domain/accounts/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../../src/domain/accounts/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../../src/domain/accounts/webhook/update-webhook.ts';
import { createCancelToken, isCancelToken } from '../../../src/domain/payments/customer-page/page-tokens.ts';
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
import type { OnCleanup } from '../../setup/cleanup.ts';
import { setupDatabase } from '../../setup/database.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { minutesAfter, noon, seedMerchant } from '../../setup/seed.ts';
import { type ServiceOnDatabase, setupService, testAppSecret } from '../../setup/service.ts';

/** Rotates secrets while several processes, each with its own keyring, work on one database. */

const firstSecret = testAppSecret;
const secondSecret = 'the second secret of this test, long enough';
const storedResponses = 1_100;
const charge = { id: 'ch_1', mode: 'live' } as const;

const createSources = (appSecret: string, appSecretPrevious?: string) => ({
  appSecret,
  appSecretPrevious,
  dataDir: '',
});
type Sources = ReturnType<typeof createSources>;
const firstSources = createSources(firstSecret);
const secondSources = createSources(secondSecret);

type ServiceProcess = Service & { stop: () => Promise<void> };

/** A merchant with stored responses, and the actions of rotations on the database, for all tests of the file. */
const test = serviceTest
  .extend('fileMerchant', { scope: 'file' }, async ({ service }) => {
    const newMerchant = await seedMerchant(service);
    const merchantId = newMerchant.merchant.id;
    const values = Array.from({ length: storedResponses }, (_, i) =>
      service.secrets.encrypt(`response ${i}`, 'idempotency_key.response_encrypted', [
        merchantId,
        'live',
        `key ${i}`,
      ]),
    );
    await service.pool.query(
      `INSERT INTO idempotency_key (merchant_id, mode, key, fingerprint, status, response_encrypted, created_at, expires_at)
       SELECT $1, 'live', 'key ' || i - 1, 'none', 200, value, now(), now() + interval '1 day'
       FROM unnest($2::text[]) WITH ORDINALITY AS response (value, i)`,
      [merchantId, values],
    );
    return newMerchant.merchant;
  })
  .extend('rotation', { scope: 'file' }, ({ service, fileMerchant, onFileCleanup }) =>
    createRotationActions(service, fileMerchant.id, onFileCleanup),
  );

function createRotationActions(service: ServiceOnDatabase, merchantId: string, onCleanup: OnCleanup) {
  const database = service.connectionString;
  /** A process that uses secrets: with a pool, a listening connection, and its own keyring. */
  async function startProcess(sources: Sources): Promise<ServiceProcess> {
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

  const deleteRetiredKeys = (sources: Sources, now: Date) =>
    withClient(database, (client) => deleteRetiredDataKeys(client, { sources, now, onProgress: () => {} }));

  const readCurrentKeyId = async (sources: Sources) =>
    (await withClient(database, (client) => readDataKeys(client, sources))).current.id;

  /** Counts all encrypted values, and those that are encrypted with this data key. */
  async function countValues(dataKeyId: string): Promise<{ all: number; withKey: number }> {
    const counts = { all: 0, withKey: 0 };
    for (const name of Object.keys(encryptedColumns)) {
      const [table, column] = name.split('.');
      const { rows } = await service.pool.query(
        `SELECT count("${column}")::int AS all, count(*) FILTER (WHERE starts_with("${column}", $1))::int AS with_key
         FROM "${table}"`,
        [`${dataKeyId}.`],
      );
      counts.all += rows[0].all;
      counts.withKey += rows[0].with_key;
    }
    return counts;
  }

  /** Runs an action while the processes change webhooks. */
  async function duringChanges<T>(processes: ServiceProcess[], action: () => Promise<T>): Promise<T> {
    const progress = { isOver: false, changeCount: 0 };
    const changes = changeWebhooks(processes, merchantId, progress);
    try {
      await expect.poll(() => progress.changeCount).toBeGreaterThan(0);
      return await action();
    } finally {
      progress.isOver = true;
      await changes;
      expect(progress.changeCount).toBeGreaterThan(10);
    }
  }

  return {
    startProcess,
    rotateKey,
    rotateSecret,
    deleteRetiredKeys,
    readCurrentKeyId,
    countValues,
    duringChanges,
  };
}

const getTimeInAnHour = () => new Date(Date.now() + 3_600_000);

/** Creates, changes and reads webhooks in random processes; each process reads the values that others have written. */
async function changeWebhooks(
  processes: ServiceProcess[],
  merchantId: string,
  progress: { isOver: boolean; changeCount: number },
): Promise<void> {
  const owner = { merchantId, mode: 'live' as const, actor: 'user:test' };
  const pickProcess = () => processes[Math.floor(Math.random() * processes.length)]!;
  const changeOneWebhook = async () => {
    const input = { url: 'https://shop.example/hooks', username: 'shop', password: 'word 0', isSigned: true };
    const created = await createWebhook(pickProcess(), { ...owner, input, now: noon });
    const { id } = created.webhook;
    let { signingSecret } = created;
    const token = createCancelToken(pickProcess().secrets, charge);
    for (let i = 1; !progress.isOver || i < 5; i++) {
      const password = `word ${i}`;
      await updateWebhook(pickProcess(), { ...owner, id, input: { password }, now: noon });
      const previousSecret = signingSecret;
      // Each rotation happens after the overlap of the one before.
      const now = minutesAfter(noon, 60 * i);
      ({ signingSecret } = await rotateWebhookSecret(pickProcess(), { ...owner, id, overlapHours: 1, now }));
      const { prisma, secrets } = pickProcess();
      const row = await prisma.webhook.findUniqueOrThrow({ where: { id } });
      expect([
        await secrets.decrypt(row.passwordEncrypted, 'webhook.password_encrypted', id),
        await secrets.decrypt(row.signingSecretEncrypted!, 'webhook.signing_secret_encrypted', id),
        await secrets.decrypt(
          row.previousSigningSecretEncrypted!,
          'webhook.previous_signing_secret_encrypted',
          id,
        ),
      ]).toEqual([password, signingSecret, previousSecret]);
      expect(isCancelToken(pickProcess().secrets, charge, token)).toBe(true);
      expect(
        isCancelToken(pickProcess().secrets, charge, createCancelToken(pickProcess().secrets, charge)),
      ).toBe(true);
      progress.changeCount++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, changeOneWebhook));
}

/** Each test uses the secrets that the test before has left. */
describe('Rotation', () => {
  test('of the app secret changes no value and does not affect running processes; new ones need the new secret', async ({
    service,
    rotation,
  }) => {
    const processes = await Promise.all([
      rotation.startProcess(firstSources),
      rotation.startProcess(firstSources),
    ]);
    const before = await rotation.countValues(await rotation.readCurrentKeyId(firstSources));
    expect(before.withKey).toBe(before.all);
    const token = createCancelToken(processes[0]!.secrets, charge);
    await rotation.duringChanges(processes, () =>
      rotation.rotateSecret(createSources(secondSecret, firstSecret)),
    );
    const newProcess = await rotation.startProcess(secondSources);
    expect(isCancelToken(newProcess.secrets, charge, token)).toBe(true);
    const { all, withKey } = await rotation.countValues(await rotation.readCurrentKeyId(secondSources));
    expect(withKey).toBe(all);
    await expect(rotation.startProcess(firstSources)).rejects.toThrow(/^APP_SECRET does not match/);
    // A dump of the database reveals neither secret, nor the data key.
    const { current } = await withClient(service.connectionString, (client) =>
      readDataKeys(client, secondSources),
    );
    const { rows } = await service.pool.query('SELECT to_jsonb(data_key)::text AS row FROM data_key');
    for (const hidden of [
      firstSecret,
      secondSecret,
      current.bytes.toString('base64'),
      current.bytes.toString('hex'),
    ])
      expect(rows[0].row).not.toContain(hidden);
    await Promise.all([...processes, newProcess].map(({ stop }) => stop()));
  });

  test('of the data key is resumed after a kill, without effect on running processes', async ({
    service,
    rotation,
  }) => {
    const processes = await Promise.all([1, 2, 3].map(() => rotation.startProcess(secondSources)));
    const oldKeyId = await rotation.readCurrentKeyId(secondSources);
    await rotation.duringChanges(processes, async () => {
      const killed = rotation.rotateKey(secondSources, (line, backend) =>
        // Ending the connection has the same effect on the database as a kill of the process.
        line.startsWith('certificate')
          ? service.pool.query('SELECT pg_terminate_backend($1)', [backend])
          : null,
      );
      await expect(killed).rejects.toThrow(/terminat|connection/i);
      expect((await rotation.countValues(oldKeyId)).withKey).toBeGreaterThan(0);
      await expect(rotation.deleteRetiredKeys(secondSources, getTimeInAnHour())).rejects.toThrow(
        /interrupted/,
      );
      const results = await Promise.allSettled([
        rotation.rotateKey(secondSources),
        rotation.rotateKey(secondSources),
      ]);
      expect(results.filter(({ status }) => status === 'rejected')).toMatchObject([
        { reason: { message: 'Another command is rotating the secrets of this database' } },
      ]);
      const [resumed] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(resumed).toMatchObject({
        isResumed: true,
        reencrypted: { 'idempotency_key.response_encrypted': storedResponses },
      });
    });
    const { all, withKey } = await rotation.countValues(await rotation.readCurrentKeyId(secondSources));
    expect(withKey).toBeGreaterThan(storedResponses);
    // A transaction that encrypted before the rotation may commit after the last pass.
    expect(all - withKey).toBeLessThan(processes.length * 4);
    await expectInvariants(service);
    await Promise.all(processes.map(({ stop }) => stop()));
  });

  test('of the data key leaves old signatures valid until the old key is deleted', async ({
    service,
    fileMerchant,
    rotation,
  }) => {
    const sources = secondSources;
    const [running, other] = [await rotation.startProcess(sources), await rotation.startProcess(sources)];
    const { others } = await withClient(service.connectionString, (client) => readDataKeys(client, sources));
    const oldKeyring = await openKeyring(async () => ({ current: others[0]!, others: [] }));
    const token = createCancelToken(oldKeyring, charge);
    expect(isCancelToken(running.secrets, charge, token)).toBe(true);
    await expect(rotation.deleteRetiredKeys(sources, new Date())).rejects.toThrow(
      /run this command after 20/,
    );
    const key = { merchantId: fileMerchant.id, mode: 'live', key: 'key 1' } as const;
    const row = [key.merchantId, key.mode, key.key] as const;
    const where = { merchantId_mode_key: key };
    const lateValue = oldKeyring.encrypt('late', 'idempotency_key.response_encrypted', row);
    await service.prisma.idempotencyKey.update({ where, data: { responseEncrypted: lateValue } });

    await expect(rotation.deleteRetiredKeys(sources, getTimeInAnHour())).rejects.toThrow(
      /1 values were still encrypted/,
    );
    expect(isCancelToken(running.secrets, charge, token)).toBe(true);
    expect(await rotation.deleteRetiredKeys(sources, getTimeInAnHour())).toBe(1);
    expect(await rotation.deleteRetiredKeys(sources, getTimeInAnHour())).toBe(0);
    const { all, withKey } = await rotation.countValues(await rotation.readCurrentKeyId(sources));
    expect(all - withKey).toBe(0);
    const { responseEncrypted } = await service.prisma.idempotencyKey.findUniqueOrThrow({ where });
    expect(await running.secrets.decrypt(responseEncrypted, 'idempotency_key.response_encrypted', row)).toBe(
      'late',
    );
    await expect.poll(() => isCancelToken(running.secrets, charge, token)).toBe(false);
    await expect.poll(() => isCancelToken(other.secrets, charge, token)).toBe(false);
    await expect(
      running.secrets.decrypt(lateValue, 'idempotency_key.response_encrypted', row),
    ).rejects.toThrow('a data key that no longer exists');
    await Promise.all([running.stop(), other.stop()]);
  });

  test('of the data key reports a value that cannot be decrypted, re-encrypts the others, and succeeds without it', async ({
    service,
    rotation,
  }) => {
    const sources = secondSources;
    const broken = { key: 'key 2' };
    await service.prisma.idempotencyKey.updateMany({ where: broken, data: { responseEncrypted: 'none.x' } });
    await expect(rotation.rotateKey(sources)).rejects.toThrow(
      /^1 values were not re-encrypted, the first: idempotency_key.response_encrypted:mer_\w+:live:key 2 is encrypted/,
    );
    const { all, withKey } = await rotation.countValues(await rotation.readCurrentKeyId(sources));
    expect(all - withKey).toBe(1);
    await service.prisma.idempotencyKey.deleteMany({ where: broken });
    expect(await rotation.rotateKey(sources)).toMatchObject({ isResumed: true });
    expect(await rotation.rotateKey(sources)).toMatchObject({ isResumed: false });
    const { others } = await withClient(service.connectionString, (client) => readDataKeys(client, sources));
    expect(others).toHaveLength(2);
  });
});

test('of two first processes with different secrets, one is rejected', async () => {
  const { connectionString } = await setupDatabase(onTestFinished);
  const results = await Promise.allSettled(
    [firstSecret, secondSecret].map((secret) =>
      withClient(connectionString, (client) => readDataKeys(client, createSources(secret))),
    ),
  );
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a database with merchants but no data key is rejected as one of an unreleased version', async () => {
  const oldService = await setupService(onTestFinished);
  await seedMerchant(oldService);
  await oldService.pool.query('DELETE FROM data_key');
  await expect(
    withClient(oldService.connectionString, (client) => readDataKeys(client, firstSources)),
  ).rejects.toThrow(/^This database was created by an unreleased version/);
});
