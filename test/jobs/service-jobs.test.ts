import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createExport } from '../../src/domain/payouts/export/create-export.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { type JobContext, serviceJobs } from '../../src/jobs/definitions.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { newEventId, newId } from '../../src/kit/id.ts';
import { toOwnerCaller } from '../setup/callers.ts';
import { seedSession } from '../setup/checkout.ts';
import { copyRows } from '../setup/copy-rows.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { queueFile } from '../setup/import-file.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { readMessage, seedMail, seedSms } from '../setup/messages.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { respondWith, startReceiver, type TestReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { type ServiceOnDatabase, setupService, withAnnouncer } from '../setup/service.ts';
import { csvMapping } from '../setup/statement-files.ts';
import { waitUntilZero } from '../setup/wait.ts';
import { describeStores, openPostgres } from './stores.ts';
import { startServiceWorker, startWorker, stopWorkersAfterEach } from './test-worker.ts';

stopWorkersAfterEach();

type JobShop = {
  service: Service;
  merchant: NewMerchant;
  receiver: TestReceiver;
  errors: Error[];
  /** The IDs of the charges of received messages of a type. */
  sent: (message: string) => string[];
};

describeStores('Two workers with the jobs of the service', (storeTest) => {
  const test = storeTest.extend('shop', async ({ store }, { onCleanup }): Promise<JobShop> => {
    const errors: Error[] = [];
    const onError = (error: Error) => void errors.push(error);
    const service = withAnnouncer(onTestFinished, store.service, onError);
    const merchant = await seedMerchant(service);
    const receiver = await startReceiver();
    await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
    const workers = await Promise.all(
      ['one', 'two'].map((name) =>
        startServiceWorker({ config: store.configFor(name), service, onError, jobs }),
      ),
    );
    onCleanup(async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      await receiver.stop();
    });
    const sent = (message: string): string[] =>
      receiver.requests
        .map(({ body }) => JSON.parse(body))
        .filter((body) => body.message === message)
        .map((body) => body.chargeId);
    return { service, merchant, receiver, errors, sent };
  });

  test('notify the merchant of each change once, immediately after its commit', async ({
    shop: { service, merchant, receiver, errors, sent },
  }) => {
    const ids: string[] = [];
    for (let n = 0; n < 21; n++) {
      const { id } = await seedCharge(service, merchant, { now: new Date() });
      await cancelCharge(service, {
        ...owner(merchant),
        id,
        by: 'merchant',
        actor: 'key:test',
        now: new Date(),
      });
      ids.push(id);
      await receiver.waitFor(() => sent('charge_cancelled').includes(id));
    }
    await idle(service);
    expect(sent('charge_cancelled').sort()).toEqual(ids.sort());
    expect(errors).toEqual([]);
  });

  test('create a requested export soon', async ({ shop: { service, merchant, errors } }) => {
    const caller = toOwnerCaller(merchant);
    const input = { kind: 'charges', where: {} } as const;
    const { id } = await createExport(service, { caller, input, now: new Date() });
    const done = () => service.prisma.export.findFirst({ where: { id, status: 'completed' } });
    await expect.poll(done).not.toBeNull();
    expect(errors).toEqual([]);
  });

  test('expire due charges, each once', async ({ shop: { service, merchant, receiver, errors, sent } }) => {
    const created = minutesAfter(new Date(), -60);
    const ids = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const input = { notifyPayload: `order ${n}` };
        return (await seedCharge(service, merchant, { input, now: created })).id;
      }),
    );
    await receiver.waitFor(() => sent('charge_expired').length >= ids.length, 20_000);
    await idle(service);
    expect(sent('charge_expired').sort()).toEqual(ids.sort());
    expect(errors).toEqual([]);
  });
});

/** Resident jobs with an idle interval of five minutes, so that tests end in time only if the jobs are triggered. */
const jobs = serviceJobs.map((job) => (job.keepAlive ? { ...job, idleIntervalMs: 300_000 } : job));

function owner({ merchant }: NewMerchant): { merchantId: string; mode: 'live' } {
  return { merchantId: merchant.id, mode: 'live' };
}

fileTest('The relay triggers deliveries immediately, also when all notices are lost', async () => {
  const store = await openPostgres(onTestFinished);
  const { service } = store;
  const merchant = await seedMerchant(service);
  await using receiver = await startReceiver();
  await seedWebhook(service, merchant, { url: receiver.url, notificationVersion: '1.0' });
  const { hub, errors } = await startWorker(store, 'without-notices', jobs);
  for (let n = 1; n <= 12; n++) {
    const { id } = await seedCharge(service, merchant, { now: new Date() });
    await cancelCharge(service, {
      ...owner(merchant),
      id,
      by: 'merchant',
      actor: 'key:test',
      now: new Date(),
    });
    hub.publish({ ...owner(merchant), objectId: id });
    await receiver.waitFor((requests) => requests.length >= n);
  }
  expect(errors).toEqual([]);
});

/** Waits until there is nothing left to relay or to deliver. */
async function idle(service: Service): Promise<void> {
  await expect
    .poll(async () => {
      const events = await service.prisma.event.count({ where: { relayedAt: null } });
      return events + (await service.prisma.notification.count({ where: { status: 'pending' } }));
    })
    .toBe(0);
}

type MessageRun = {
  service: ServiceOnDatabase;
  errors: Error[];
};

const messagesTest = fileTest.extend('run', { scope: 'file' }, async ({ onFileCleanup }) => {
  const run = {} as MessageRun;
  run.errors = [];
  run.service = withAnnouncer(
    onFileCleanup,
    await setupService(onFileCleanup),
    (error) => void run.errors.push(error),
  );
  return run;
});

describe('Messages', () => {
  const test = messagesTest;

  /** Agenda's errors when the machine pauses for longer than a lock; nothing may be lost or sent twice. */
  const overslept = /took more than \d+ms|got canceled already|cannot be updated in the database/;

  async function startWorkers(run: MessageRun, settings: Partial<Service['settings']>, names: string[]) {
    const { connectionString } = run.service;
    const service = { ...run.service, settings: { ...run.service.settings, ...settings } };
    await using started = new AsyncDisposableStack();
    for (const processName of names) {
      const config = { connectionString, processName };
      started.use(
        await startServiceWorker({
          config,
          service: service,
          onError: (error) => void run.errors.push(error),
        }),
      );
    }
    return started.move();
  }

  const settingsFor = ({ port }: { port: number }, gateway: TestReceiver) => ({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    mailFrom: 'pay@shop.example',
    smsUrl: gateway.url,
  });

  test('are sent once each by two workers, also after a restart', async ({ run }) => {
    await using server: MailServer = await startMailServer();
    await using gateway = await startReceiver(respondWith(204));
    const ids: (string | null)[] = [];
    const settings = settingsFor(server, gateway);
    {
      await using _workers = await startWorkers(run, settings, ['one', 'two']);
      for (let n = 0; n < 20; n++) ids.push(await seedMail(run.service), await seedSms(run.service));
      await server.waitFor(20);
      await gateway.waitFor((requests) => requests.length === 20);
    }
    // No worker runs while these are created.
    ids.push(await seedMail(run.service), await seedSms(run.service));
    {
      await using _workers = await startWorkers(run, settings, ['three']);
      await server.waitFor(21);
      await gateway.waitFor((requests) => requests.length === 21);
    }
    const mails = server.mails.map(({ headers }) =>
      headers.get('message-id')!.slice(1, -'@shop.example>'.length),
    );
    const texts = gateway.requests.map(({ headers }) => headers['idempotency-key']);
    expect([...mails, ...texts].sort()).toEqual(ids.sort());
    expect(await run.service.prisma.message.count({ where: { status: { not: 'sent' } } })).toBe(0);
    expect(run.errors.filter(({ message }) => !overslept.test(message))).toEqual([]);
  });

  test('by SMS are sent while the mail server does not respond', async ({ run }) => {
    const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    await using gateway = await startReceiver();
    const connected = new Promise((resolve) => mute.once('connection', resolve));
    await using _workers = await startWorkers(run, settingsFor(mute.address() as net.AddressInfo, gateway), [
      'four',
    ]);
    await seedMail(run.service);
    await connected;
    await seedSms(run.service);
    await gateway.waitFor((requests) => requests.length === 1);
    expect(await run.service.prisma.message.count({ where: { status: 'pending', channel: 'email' } })).toBe(
      1,
    );
    mute.close();
  });

  test('are completed before a stopped worker ends, when the mail server has received them', async ({
    run,
  }) => {
    // The server responds after the end of the run, but before the stop times out.
    await using server = await startMailServer({ beforeReply: () => delay(3_000) });
    await using gateway = await startReceiver();
    const id = await seedMail(run.service);
    {
      await using _workers = await startWorkers(run, settingsFor(server, gateway), ['five']);
      await server.waitFor(1);
    }
    expect(server.mails).toHaveLength(1);
    expect(await readMessage(run.service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
  });
});

describe('Statements', () => {
  const test = fileTest;

  const rows = 1_000;

  test('are imported by a worker, and by the next if it stops during the import', async () => {
    const errors: Error[] = [];
    const onError = (error: Error) => void errors.push(error);
    const service = withAnnouncer(onTestFinished, await setupService(onTestFinished), onError);
    const start = (processName: string) => {
      const config = { connectionString: service.connectionString, processName };
      return startServiceWorker({ config, service, onError });
    };
    const now = new Date();
    const merchant = await seedMerchant(service, {}, now);
    const { receivingAccountId } = await seedCharge(service, merchant, { now });
    const day = now.toISOString().slice(0, 10);
    const mapping = csvMapping({ referenceColumns: ['Text'], bankReferenceColumn: 'Ref' });
    const queue = (name: string) => {
      const lines = Array.from({ length: rows }, (_, n) => `${day},1,unknown,${name}${n}`);
      const content = `Date,Amount,Text,Ref\n${lines.join('\n')}\n`;
      return queueFile(service, merchant, { content, receivingAccountId, mapping, now });
    };
    const { statement } = service.prisma;
    const done = () => statement.count({ where: { status: 'completed' } });
    {
      await using _one = await start('one');
      for (const name of ['A', 'B', 'C']) await queue(name);
      const underWay = () => statement.count({ where: { status: 'running', recordedCount: { gt: 0 } } });
      await expect.poll(underWay, { interval: 5 }).toBeGreaterThan(0);
    }
    expect(await done()).toBeLessThan(3);
    await using _other = await start('other');
    const countMissing = async () => 3 * rows - (await service.prisma.transfer.count());
    await waitUntilZero(countMissing, 'lines not recorded');
    await expect.poll(done).toBe(3);
    const statements = await statement.findMany();
    expect(statements.map((statement) => getImportCounts(statement).exception)).toEqual([rows, rows, rows]);
    expect(await countMissing()).toBe(0);
    expect(errors).toEqual([]);
  });
});

type BatchSite = {
  service: ServiceOnDatabase;
  merchant: NewMerchant;
  context: JobContext;
};

const batchesTest = fileTest.extend('site', { scope: 'file' }, async ({ onFileCleanup }) => {
  const site = {} as BatchSite;
  site.service = await setupService(onFileCleanup);
  site.merchant = await seedMerchant(site.service);
  site.context = { service: site.service, clock, wake: () => {} } as unknown as JobContext;
  return site;
});

const clock = createFakeClock(new Date(noon.getTime() + 8 * dayMs));

describe('Batches', () => {
  const test = batchesTest;

  type Sweep = {
    job: string;
    batch: number;
    due: string;
    fill: (site: BatchSite, count: number) => Promise<unknown>;
  };

  const sweeps: Sweep[] = [
    {
      job: 'relay-events',
      batch: 500,
      due: 'event WHERE relayed_at IS NULL',
      async fill(site, count) {
        const { id } = await seedCharge(site.service, site.merchant, { now: noon });
        const { id: of } = await site.service.prisma.event.findFirstOrThrow({ where: { objectId: id } });
        const copy = () => ({ of, id: newEventId(noon), object_id: newId('charge', noon) });
        await copyRows(site.service, 'event', Array.from({ length: count - 1 }, copy));
      },
    },
    {
      job: 'expire-charges',
      batch: 200,
      due: `charge WHERE status = 'pending'`,
      async fill(site, count) {
        const { id: of } = await seedCharge(site.service, site.merchant, { now: noon });
        const copy = (_: unknown, n: number) => ({
          of,
          id: newId('charge', noon),
          payment_reference: `N${n}`,
        });
        await copyRows(site.service, 'charge', Array.from({ length: count - 1 }, copy));
      },
    },
    {
      job: 'expire-sessions',
      batch: 200,
      due: `checkout_session WHERE status = 'created'`,
      async fill(site, count) {
        const { id: of } = await seedSession(site.service, site.merchant, { now: noon });
        const copy = () => ({ of, id: newId('session', noon) });
        await copyRows(site.service, 'checkout_session', Array.from({ length: count - 1 }, copy));
      },
    },
    {
      job: 'fold-charge-counts',
      batch: 20_000,
      due: 'charge_count_delta',
      fill: (site, count) => site.service.prisma.$executeRaw`
      INSERT INTO charge_count_delta (merchant_id, mode, day, method, customer_currency, to_status)
      SELECT ${site.merchant.merchant.id}, 'live', '2026-11-17', 'fps', 'HKD', 'expired' FROM generate_series(1, ${count}::int)`,
    },
    {
      job: 'process-reset-requests',
      batch: 50,
      due: 'password_reset_request',
      fill: (site, count) => site.service.prisma.$executeRaw`
      INSERT INTO password_reset_request (email, ip_address, created_at)
      SELECT n || '@nobody.example', '198.51.100.7', ${noon} FROM generate_series(1, ${count}::int) n`,
    },
    {
      job: 'prune-idempotency-keys',
      batch: 5_000,
      due: 'idempotency_key',
      fill: (site, count) => site.service.prisma.$executeRaw`
      INSERT INTO idempotency_key (merchant_id, mode, key, fingerprint, status, response_encrypted, created_at, expires_at)
      SELECT ${site.merchant.merchant.id}, 'live', n::text, '', 200, '', ${noon}, ${noon} FROM generate_series(1, ${count}::int) n`,
    },
  ];

  test.for(sweeps)(
    'of $job end after one when the run is aborted, and the next run continues',
    async ({ job, batch, due, fill }, { site }) => {
      const { work } = serviceJobs.find(({ name }) => name === job)!;
      const countDue = async () => {
        const { rows } = await site.service.pool.query(`SELECT count(*)::int AS count FROM ${due}`);
        return rows[0]?.count as number;
      };
      await fill(site, batch + 1);
      const before = await countDue();
      await work(site.context, AbortSignal.abort());
      expect(await countDue()).toBe(before - batch);
      await work(site.context, new AbortController().signal);
      expect(await countDue()).toBe(0);
    },
  );
});
