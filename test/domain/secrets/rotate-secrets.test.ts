import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { cancelToken, isCancelToken } from '../../../src/domain/checkout/page-tokens.ts';
import type { NewMerchant } from '../../../src/domain/merchant/create-merchant.ts';
import { followSecrets } from '../../../src/domain/secrets/follow-secrets.ts';
import { forgetSecrets } from '../../../src/domain/secrets/forget-secrets.ts';
import { openSecrets } from '../../../src/domain/secrets/open-secrets.ts';
import { type Rotation, rotateSecrets } from '../../../src/domain/secrets/rotate-secrets.ts';
import { describeSecrets } from '../../../src/domain/secrets/wait-for-processes.ts';
import type { Service } from '../../../src/domain/service.ts';
import { createWebhook } from '../../../src/domain/webhook/create-webhook.ts';
import { rotateWebhookSecret } from '../../../src/domain/webhook/rotate-webhook-secret.ts';
import { updateWebhook } from '../../../src/domain/webhook/update-webhook.ts';
import { closeDb, openDb } from '../../../src/kit/db.ts';
import { fingerprint, makeKeyring, makeSecrets, sealedBeginning } from '../../../src/kit/secrets.ts';
import { withClient } from '../../../src/kit/with-client.ts';
import { createHub } from '../../../src/live/hub.ts';
import { listen } from '../../../src/live/listen.ts';
import { atEnd } from '../../setup/at-end.ts';
import { testDatabase } from '../../setup/database.ts';
import { makeMerchant, minutesAfter, noon } from '../../setup/makers.ts';
import { testAppSecret as first, testService } from '../../setup/service.ts';
import { expectSound } from '../../setup/sound.ts';

/** The secret is changed while several processes work on one database, each with its own memory of it. */

const second = 'the second secret of this test, long enough';
const third = 'the third secret of this test, also long enough';
const keptAnswers = 500;

let merchant: NewMerchant;
let database: string;
let service: Service;

beforeAll(async () => {
  const made = await testService();
  service = made;
  database = made.connectionString;
  merchant = await makeMerchant(service);
  const values = Array.from({ length: keptAnswers }, (_, i) => service.secrets.seal(`answer ${i}`));
  await made.pool.query(
    `INSERT INTO idempotency_key (merchant_id, mode, key, fingerprint, status, answer_sealed, created_at, expires_at)
     SELECT $1, 'live', 'key ' || i, 'none', 200, sealed, now(), now() + interval '1 day'
     FROM unnest($2::text[]) WITH ORDINALITY AS given (sealed, i)`,
    [merchant.merchant.id, values],
  );
});

const envOf = (appSecret: string, appSecretOld?: string) => ({ appSecret, appSecretOld, dataDir: '' });

type Process = Service & { stop: () => Promise<void> };

/** What a process of the service is as to secrets: a pool, a connection on which it listens, and its own keyring. */
async function startProcess(sources: ReturnType<typeof envOf>): Promise<Process> {
  const onError = (error: Error) => console.error(error);
  const keyring = makeKeyring(await openSecrets(database, sources));
  const db = openDb({ connectionString: database, poolSize: 3, onError });
  const hub = createHub();
  const listener = await listen(database, hub, onError);
  await followSecrets(hub, {
    db,
    sources,
    keyring,
    onRead: (known) => listener.describe(describeSecrets(known)),
    onError,
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= listener.stop().then(() => closeDb(db));
    return stopped;
  };
  atEnd(stop);
  return { ...db, secrets: keyring, settings: service.settings, stop };
}

function rotate(
  sources: ReturnType<typeof envOf>,
  options: { patienceMs?: number; onProgress?: (line: string, backend: number) => unknown } = {},
): Promise<Rotation> {
  return withClient(database, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    return rotateSecrets(client, {
      sources,
      next: async () => sources.appSecret,
      onInForce: async () => {},
      now: noon,
      patienceMs: options.patienceMs ?? 5_000,
      onProgress: (line) => options.onProgress?.(line, rows[0].pid),
    });
  });
}

const forget = (sources: ReturnType<typeof envOf>, now: Date) =>
  withClient(database, (client) => forgetSecrets(client, { sources, now, onProgress: () => {} }));

const inAnHour = () => new Date(Date.now() + 3_600_000);

/** How many values there are, and how many of them are encrypted under this secret. */
async function countSealed(secret: string): Promise<{ all: number; under: number }> {
  const { rows: columns } = await service.pool.query(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name LIKE '%\\_sealed' AND table_name <> 'app_key'`,
  );
  const counts = { all: 0, under: 0 };
  for (const { table, column } of columns) {
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE starts_with("${column}", $1))::int AS under
       FROM "${table}" WHERE "${column}" IS NOT NULL`,
      [sealedBeginning(fingerprint(secret))],
    );
    counts.all += rows[0].all;
    counts.under += rows[0].under;
  }
  return counts;
}

/** Webhooks are made, changed and read by all processes in turn; each is to read what any other has written. */
async function workUntilOver(processes: Process[], work: { isOver: boolean; done: number }): Promise<void> {
  const own = { merchantId: merchant.merchant.id, mode: 'live' as const, actor: 'user:test' };
  const any = () => processes[Math.floor(Math.random() * processes.length)]!;
  const workOnOne = async () => {
    const input = { url: 'https://shop.example/hooks', username: 'shop', password: 'word 0', signed: true };
    const made = await createWebhook(any(), { ...own, input, now: noon });
    const { id } = made.webhook;
    let { signingSecret } = made;
    const token = cancelToken(any().secrets, 'ch_1');
    for (let i = 1; !work.isOver || i < 5; i++) {
      const password = `word ${i}`;
      await updateWebhook(any(), { ...own, id, input: { password }, now: noon });
      const before = signingSecret;
      // Each once the overlap of the one before is over.
      const now = minutesAfter(noon, 60 * i);
      ({ signingSecret } = await rotateWebhookSecret(any(), { ...own, id, overlapHours: 1, now }));
      const reader = any();
      const row = await reader.prisma.webhook.findUniqueOrThrow({ where: { id } });
      const { unseal } = reader.secrets;
      expect([
        unseal(row.passwordSealed),
        unseal(row.signingSecretSealed!),
        unseal(row.lastSigningSecretSealed!),
      ]).toEqual([password, signingSecret, before]);
      expect(isCancelToken(any().secrets, 'ch_1', token)).toBe(true);
      expect(isCancelToken(any().secrets, 'ch_1', cancelToken(any().secrets, 'ch_1'))).toBe(true);
      work.done++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, workOnOne));
}

/** Begins the work, and what is to happen meanwhile when it is under way. */
async function meanwhile<T>(processes: Process[], happens: () => Promise<T>): Promise<T> {
  const work = { isOver: false, done: 0 };
  const worked = workUntilOver(processes, work);
  try {
    await expect.poll(() => work.done).toBeGreaterThan(0);
    return await happens();
  } finally {
    work.isOver = true;
    await worked;
    expect(work.done).toBeGreaterThan(10);
  }
}

/** One goes on from where the other left the secrets: they are run together. */
describe('a new secret', () => {
  const both = envOf(second, first);

  test('is put in force only when every process knows it, and no command is at work', async () => {
    const unaware = await startProcess(envOf(first));
    const aware = await startProcess(both);
    await expect(rotate(both, { patienceMs: 100 })).rejects.toThrow(
      /^Every process must know the new secret first.* Not ready: a running process \((?:local|[\d.]+), backend \d+\)$/,
    );
    await unaware.stop();
    // It would open what is encrypted under the new one, and refuse what that signs until it hears of the change.
    const wrongWayRound = await startProcess(envOf(first, second));
    await expect(rotate(both, { patienceMs: 100 })).rejects.toThrow(
      /^Every process must know the new secret/,
    );
    await wrongWayRound.stop();
    const command = withClient(database, async (client) => {
      await client.query('SELECT 1');
      await expect(rotate(both, { patienceMs: 100 })).rejects.toThrow(/a command of the command line/);
    });
    await command;
    expect((await countSealed(first)).under).toBeGreaterThan(keptAnswers);
    expect(makeSecrets(first).unseal(aware.secrets.seal('still under the first'))).toBe(
      'still under the first',
    );
    await aware.stop();
  });

  test('comes into force while all processes work; one killed half way is gone on with, and nobody notices', async () => {
    const processes = await Promise.all([startProcess(both), startProcess(both), startProcess(both)]);
    await meanwhile(processes, async () => {
      const killed = rotate(both, {
        // As a kill is seen by the database: the connection is gone, in the midst of it.
        onProgress: (line, backend) =>
          line.startsWith('certificate') && service.pool.query('SELECT pg_terminate_backend($1)', [backend]),
      });
      await expect(killed).rejects.toThrow(/terminat|connection/i);
      expect((await countSealed(first)).under).toBeGreaterThan(0);
      await expect(forget(both, inAnHour())).rejects.toThrow(/broken off/);
      const atOnce = await Promise.allSettled([rotate(both), rotate(both)]);
      expect(atOnce.filter(({ status }) => status === 'rejected')).toMatchObject([
        { reason: { message: 'The secrets of this database are being changed already' } },
      ]);
      const [resumed] = atOnce.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(resumed).toMatchObject({ isResumed: true, rotated: { idempotency_key: keptAnswers } });
    });
    const { all, under } = await countSealed(second);
    expect(under).toBeGreaterThan(keptAnswers);
    // What was encrypted just before a process heard of it may be written just after it was looked for.
    expect(all - under).toBeLessThan(processes.length * 4);
    await expectSound(service);
    await Promise.all(processes.map(({ stop }) => stop()));
  });

  test('alone is enough from then on: it opens the one before, whose signatures count until it is forgotten', async () => {
    const alone = await startProcess(envOf(second));
    const token = cancelToken(makeSecrets(first), 'ch_1');
    expect(isCancelToken(alone.secrets, 'ch_1', token)).toBe(true);
    expect(alone.secrets.unseal(makeSecrets(first).seal('from before'))).toBe('from before');
    await expect(openSecrets(database, envOf(first))).rejects.toThrow(/APP_SECRET is not the one/);
    // A dump of the database tells it to nobody.
    const { rows } = await service.pool.query('SELECT to_jsonb(app_key)::text AS row FROM app_key');
    expect(rows).toHaveLength(2);
    for (const { row } of rows) for (const secret of [first, second]) expect(row).not.toContain(secret);
    await expect(forget(envOf(second), new Date())).rejects.toThrow(/call this after 20/);
    // A straggler, written after all.
    await service.prisma.idempotencyKey.updateMany({
      where: { key: 'key 1' },
      data: { answerSealed: makeSecrets(first).seal('late') },
    });

    expect(await forget(envOf(second), inAnHour())).toBe(1);
    const { all, under } = await countSealed(second);
    expect([all - under, await forget(envOf(second), inAnHour())]).toEqual([0, 0]);
    const late = await service.prisma.idempotencyKey.findFirstOrThrow({ where: { key: 'key 1' } });
    expect(makeSecrets(second).unseal(late.answerSealed)).toBe('late');
    await expect.poll(() => isCancelToken(alone.secrets, 'ch_1', token)).toBe(false);
    await alone.stop();
  });

  test('is followed by another; one that does not open is told, the rest is done; and one of before may come again', async () => {
    await service.prisma.idempotencyKey.updateMany({
      where: { key: 'key 2' },
      data: { answerSealed: 'v2.none.x' },
    });
    await expect(rotate(envOf(third, second))).rejects.toThrow(
      '1 rows of idempotency_key do not open with any secret that is known here',
    );
    await service.prisma.idempotencyKey.deleteMany({ where: { key: 'key 2' } });
    expect(await rotate(envOf(third, second))).toMatchObject({ isResumed: true });
    expect(await rotate(envOf(second, third))).toMatchObject({ isResumed: false });
    const { all, under } = await countSealed(second);
    expect(all - under).toBe(0);
    const { accepted } = await openSecrets(database, envOf(second));
    expect(accepted).toEqual([third]);
  });
});

test('of two processes that come first with different secrets one is told', async () => {
  const { connectionString } = await testDatabase();
  const outcomes = await Promise.allSettled(
    [first, second].map((secret) => openSecrets(connectionString, envOf(secret))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('every sealed column is named so, which is how rotating finds them', async () => {
  const schema = await readFile(new URL('../../../prisma/schema.prisma', import.meta.url), 'utf8');
  const encrypted = schema
    .split('\n')
    .filter((line, i, lines) => /encrypted/i.test(lines[i - 1] ?? '') && /^\s+\w+ +String/.test(line));
  expect(encrypted.length).toBeGreaterThan(0);
  expect(encrypted.filter((line) => !line.includes('_sealed"'))).toEqual([]);
});
