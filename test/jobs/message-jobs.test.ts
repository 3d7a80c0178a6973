import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { readMessage, seedMail, seedSms } from '../setup/messages.ts';
import { type Receiver, respondWith, startReceiver } from '../setup/receiver.ts';
import { type ServiceOnDatabase, setupService, withAnnouncer } from '../setup/service.ts';
import { startServiceWorker } from './test-worker.ts';

const onCleanup = cleanupAfterFile();

/** Mail and SMS through whole workers, as a service runs them. */

let service: ServiceOnDatabase;
const errors: Error[] = [];
/**
 * Of a machine that stands still for longer than a run's lock lives, Agenda says this, and another run does the work:
 * what is asked here is that nothing is lost or sent twice by that.
 */
const overslept = /took more than \d+ms|got canceled already|cannot be updated in the database/;
const onError = (error: Error) => void errors.push(error);

beforeAll(async () => {
  service = withAnnouncer(onCleanup, await setupService(onCleanup), onError);
});

async function startWorkers(settings: Partial<Service['settings']>, names: string[]) {
  const { connectionString } = service;
  const own = { ...service, settings: { ...service.settings, ...settings } };
  await using started = new AsyncDisposableStack();
  for (const processName of names) {
    const config = { connectionString, processName };
    started.use(await startServiceWorker({ config, service: own, onError }));
  }
  return started.move();
}

const settingsFor = ({ port }: { port: number }, gateway: Receiver) => ({
  smtpUrl: `smtp://127.0.0.1:${port}`,
  mailFrom: 'pay@shop.example',
  smsUrl: gateway.url,
});

test('two workers send what is committed, each message once, through a restart', async () => {
  await using server: MailServer = await startMailServer();
  await using gateway = await startReceiver(respondWith(204));
  const ids: (string | null)[] = [];
  const settings = settingsFor(server, gateway);
  {
    await using _workers = await startWorkers(settings, ['one', 'two']);
    for (let n = 0; n < 20; n++) ids.push(await seedMail(service), await seedSms(service));
    await server.waitFor(20);
    await gateway.waitFor((requests) => requests.length === 20);
  }
  // Made while no worker is there.
  ids.push(await seedMail(service), await seedSms(service));
  {
    await using _workers = await startWorkers(settings, ['three']);
    await server.waitFor(21);
    await gateway.waitFor((requests) => requests.length === 21);
  }
  const mails = server.mails.map(({ headers }) =>
    headers.get('message-id')!.slice(1, -'@shop.example>'.length),
  );
  const texts = gateway.requests.map(({ headers }) => headers['idempotency-key']);
  expect([...mails, ...texts].sort()).toEqual(ids.sort());
  expect(await service.prisma.message.count({ where: { status: { not: 'sent' } } })).toBe(0);
  expect(errors.filter(({ message }) => !overslept.test(message))).toEqual([]);
});

test('a mail server that does not answer keeps no SMS waiting', async () => {
  const mute = net.createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => mute.once('listening', resolve));
  await using gateway = await startReceiver();
  const asked = new Promise((resolve) => mute.once('connection', resolve));
  await using _workers = await startWorkers(settingsFor(mute.address() as net.AddressInfo, gateway), [
    'four',
  ]);
  await seedMail(service);
  await asked;
  await seedSms(service);
  await gateway.waitFor((requests) => requests.length === 1);
  expect(await service.prisma.message.count({ where: { status: 'pending', channel: 'email' } })).toBe(1);
  mute.close();
});

test('a worker that is stopped waits for what a mail server says of a mail that it has whole', async () => {
  // Later than the run ends, and within what the stop may take.
  await using server = await startMailServer({ beforeReply: () => delay(3_000) });
  await using gateway = await startReceiver();
  const id = await seedMail(service);
  {
    await using _workers = await startWorkers(settingsFor(server, gateway), ['five']);
    await server.waitFor(1);
  }
  expect(server.mails).toHaveLength(1);
  expect(await readMessage(service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
});
