import net, { type AddressInfo } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { readMessage, seedMail, sendDueMessages } from '../setup/messages.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** A real SMTP server that takes its time to say that it has a mail. */

const service = await setupService(onCleanup);

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

const mailFrom = 'Harbour Teas <pay@shop.example>';
const settingsFor = ({ port }: { port: number }) => ({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom });

test('it gets the mail once: the limit is for the way there, and the claim is renewed meanwhile', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeReply: () => held });
  const id = await seedMail(service);
  const sending = sendDueMessages(service, 'email', settingsFor(server), {
    timeoutMs: 3_000,
    leaseMs: 4_500,
  });
  await server.waitFor(1);
  const first = (await readMessage(service, id)).leasedUntil!.getTime();
  // Longer than the way there may take, and than the claim lasts.
  await expect
    .poll(async () => (await readMessage(service, id)).leasedUntil?.getTime() ?? 0)
    .toBeGreaterThan(first + 4_000);
  await sendDueMessages(service, 'email', settingsFor(server));
  release();
  await sending;
  expect(server.mails).toHaveLength(1);
  expect(await readMessage(service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
});

test('it keeps no other mail waiting', async () => {
  const { promise: allCame, resolve: release } = Promise.withResolvers<void>();
  let mails = 0;
  await using server = await startMailServer({
    beforeReply: async () => {
      mails++;
      if (mails === 11) release();
      if (mails === 1) await allCame;
    },
  });
  await Promise.all(Array.from({ length: 11 }, () => seedMail(service)));
  await sendDueMessages(service, 'email', settingsFor(server), { answerWaitMs: 100 });
  expect(server.mails).toHaveLength(11);
  expect(await service.prisma.message.count({ where: { status: 'sent', attemptCount: 1 } })).toBe(11);
});

test('it is asked for no more mails at once than ten', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeReply: () => held });
  await Promise.all(Array.from({ length: 14 }, () => seedMail(service)));
  const sending = sendDueMessages(service, 'email', settingsFor(server), { answerWaitMs: 100 });
  await server.waitFor(10);
  // Those that wait for a place have not been claimed, so that none of their attempts is used up.
  expect(await service.prisma.message.count({ where: { leasedUntil: null } })).toBe(4);
  release();
  await sending;
  expect(server.mails).toHaveLength(14);
  expect(server.connections()).toBe(10);
  expect(await service.prisma.message.count({ where: { status: 'sent', attemptCount: 1 } })).toBe(14);
});

test('when it never does, the attempt has failed when the time for the answer is over', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeReply: () => held });
  const id = await seedMail(service);
  await sendDueMessages(service, 'email', settingsFor(server), { answerMs: 200 });
  expect(await readMessage(service, id)).toMatchObject({
    status: 'pending',
    attemptCount: 1,
    lastError: 'the mail server timed out',
  });
  release();
});

test('when the connection breaks meanwhile, the attempt has failed, and the mail waits for its next', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using server = await startMailServer({ beforeReply: () => held });
  const sockets: net.Socket[] = [];
  const line = net.createServer((socket) => {
    sockets.push(socket);
    socket.pipe(net.connect(server.port, '127.0.0.1')).pipe(socket);
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const id = await seedMail(service);
  const sending = sendDueMessages(service, 'email', settingsFor(line.address() as AddressInfo));
  await server.waitFor(1);
  for (const socket of sockets) socket.destroy();
  await sending;
  expect(server.mails).toHaveLength(1);
  expect(sockets).toHaveLength(1);
  expect(await readMessage(service, id)).toMatchObject({ status: 'pending', attemptCount: 1 });
  release();
  line.close();
});
