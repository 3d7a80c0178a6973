import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, onTestFinished } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { refundSentMail } from '../../src/message/mails/refund-sent-mail.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { serviceTest } from '../setup/fixtures.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { readContent, readMessage, seedMail, sendDueMessages } from '../setup/messages.ts';
import { createCertificate, hasOpenssl } from '../setup/openssl.ts';
import { createPicture } from '../setup/pictures.ts';

const test = serviceTest.extend('emptyMailbox', { auto: true }, async ({ service }) => {
  await service.prisma.message.deleteMany();
});

const mailFrom = 'Harbour Teas <pay@shop.example>';

const settingsFor = ({ port }: { port: number }) => ({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom });

async function sendTo(service: Service, smtpUrl: string) {
  const id = await seedMail(service);
  await sendDueMessages(service, 'email', { smtpUrl, mailFrom: 'pay@shop.example' });
  return readMessage(service, id);
}

const noTrust = expect.stringMatching(/^the certificate of the mail server is not trusted \(.+\)$/);

describe('a mail', () => {
  test('arrives once as text and HTML, from MAIL_FROM with a Message-ID, and its content is deleted', async ({
    service,
  }) => {
    await using server = await startMailServer();
    const id = await seedMail(service, { language: 'th' });
    await sendDueMessages(service, 'email', settingsFor(server));
    await sendDueMessages(service, 'email', settingsFor(server));
    expect(server.mails).toHaveLength(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'pay@shop.example', to: ['ada@example.com'] });
    expect(mail!.headers.get('from')).toBe('Harbour Teas <pay@shop.example>');
    expect(mail!.headers.get('message-id')).toBe(`<${id}@shop.example>`);
    expect(mail!.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail!.headers.get('content-language')).toBe('th');
    expect(mail!.parts.get('text/plain')).toContain('Say where:\nhttps://pay.example/pay/refund/secret');
    expect(mail!.parts.get('text/html')).toContain('href="https://pay.example/pay/refund/secret"');
    expect(await readMessage(service, id)).toMatchObject({
      status: 'sent',
      attemptCount: 1,
      contentEncrypted: null,
      nextAttemptAt: null,
      leasedUntil: null,
    });
  });

  test('has the merchant’s current logo attached if it shows one', async ({ service, merchant }) => {
    await using server = await startMailServer();
    const merchantId = merchant.merchant.id;
    const bytes = new Uint8Array(createPicture({ width: 40, height: 40 }));
    await service.prisma.merchantLogo.create({ data: { key: 'key-40x40', merchantId, bytes } });
    const brand = { ...merchant.merchant, logo: 'key-40x40' };
    const content = refundSentMail('en', { merchant: brand, amount: 'HK$20.00', reference: 'TIGER2345' });
    await seedMail(service, { merchantId, content });
    await seedMail(service, { merchantId });
    await sendDueMessages(service, 'email', settingsFor(server));
    const withLogo = server.mails.filter(({ raw }) => /content-id: <logo>/i.test(raw));
    expect(withLogo).toHaveLength(1);
    expect(withLogo[0]!.raw.replaceAll('\n', '')).toContain(Buffer.from(bytes).toString('base64'));
    expect(withLogo[0]!.raw).toContain('src=3D"cid:logo"');
  });

  test('of reminders has one-click unsubscription over https', async ({ service }) => {
    await using server = await startMailServer();
    const content = { subject: 'Due today', text: 'text', html: '<p>html</p>' };
    for (const protocol of ['https', 'http']) {
      const unsubscribeUrl = `${protocol}://pay.example/pay/subscription/a.b/reminders`;
      await seedMail(service, { content: { ...content, unsubscribeUrl } });
    }
    await seedMail(service, { content });
    await sendDueMessages(service, 'email', settingsFor(server));
    const headers = server.mails.map((mail) => [
      mail.headers.get('list-unsubscribe'),
      mail.headers.get('list-unsubscribe-post'),
    ]);
    expect(headers).toHaveLength(3);
    expect(headers).toEqual(
      expect.arrayContaining([
        ['<http://pay.example/pay/subscription/a.b/reminders>', undefined],
        ['<https://pay.example/pay/subscription/a.b/reminders>', 'List-Unsubscribe=One-Click'],
        [undefined, undefined],
      ]),
    );
  });

  test('cannot inject headers or recipients by its subject and address', async ({ service }) => {
    await using server = await startMailServer();
    const evil = 'Hello\r\nBcc: eve@example.com\r\n\r\n<h1>x</h1>';
    await seedMail(service, {
      content: { subject: evil, text: 'text', html: '<p>html</p>' },
    });
    await sendDueMessages(service, 'email', settingsFor(server));
    const [mail] = server.mails;
    expect(mail!.to).toEqual(['ada@example.com']);
    expect(mail!.headers.get('subject')).toBe('Hello Bcc: eve@example.com <h1>x</h1>');
    expect([...mail!.headers.keys()]).not.toContain('bcc');
    for (const to of [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'Ada <a@b.c>',
    ]) {
      await expect(seedMail(service, { to })).rejects.toThrow('must have exactly one valid address');
    }
  });

  test('is created once for its deduplication key by concurrent calls', async ({ service }) => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => seedMail(service, { dedupeKey: 'refund-link re_1 0' })),
    );
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    expect(await service.prisma.message.count()).toBe(1);
  });

  test('is sent once by two concurrent workers', async ({ service }) => {
    await using server = await startMailServer();
    const ids = await Promise.all(Array.from({ length: 50 }, () => seedMail(service)));
    const settings = settingsFor(server);
    await Promise.all([
      sendDueMessages(service, 'email', settings),
      sendDueMessages(service, 'email', settings),
    ]);
    const sent = server.mails.map((mail) => mail.headers.get('message-id')).sort();
    expect(sent).toEqual(ids.map((id) => `<${id}@shop.example>`).sort());
    expect(server.connections()).toBeLessThanOrEqual(10);
  });

  test('is sent with the credentials of SMTP_URL', async ({ service }) => {
    const credentials = { user: 'causeway', password: 'p@ss word' };
    await using server = await startMailServer({ credentials });
    const id = await seedMail(service);
    const smtpUrl = `smtp://causeway:p%40ss%20word@127.0.0.1:${server.port}`;
    await sendDueMessages(service, 'email', { smtpUrl, mailFrom });
    expect(server.mails.map(({ user }) => user)).toEqual(['causeway']);
    expect((await readMessage(service, id)).status).toBe('sent');
  });
});

describe('a rejection', () => {
  test.for([
    ['RCPT TO', 550, 'failed', 'the mail server responded with 550 to RCPT TO'],
    ['RCPT TO', 451, 'pending', 'the mail server responded with 451 to RCPT TO'],
    ['DATA', 554, 'failed', 'the mail server responded with 554 to DATA'],
    ['DATA', 452, 'pending', 'the mail server responded with 452 to DATA'],
    // The sender is the same for every mail, so that only the operator can fix it.
    ['MAIL FROM', 550, 'pending', 'the mail server responded with 550 to MAIL FROM'],
  ] as const)('of %s with %i makes the mail %s', async ([command, code, status, lastError], { service }) => {
    await using server = await startMailServer({ rejectWith: () => ({ at: command, code }) });
    const id = await seedMail(service);
    const { errors } = await sendDueMessages(service, 'email', settingsFor(server));
    const message = await readMessage(service, id);
    expect(message).toMatchObject({ status, lastError, attemptCount: 1 });
    expect(message.contentEncrypted === null).toBe(status === 'failed');
    expect(errors.map(({ message }) => message)).toEqual(
      status === 'failed' ? [`message ${id} failed: ${lastError}`] : [],
    );
  });

  test('of the password leaves the mail pending', async ({ service }) => {
    await using server = await startMailServer({ credentials: { user: 'a', password: 'right' } });
    const id = await seedMail(service);
    await sendDueMessages(service, 'email', { smtpUrl: `smtp://a:wrong@127.0.0.1:${server.port}`, mailFrom });
    expect(await readMessage(service, id)).toMatchObject({
      status: 'pending',
      lastError: expect.stringMatching(/responded with 535|rejected the credentials/),
    });
  });

  test('of one mail does not delay others', async ({ service }) => {
    await using server = await startMailServer({
      rejectWith: (to) => (to.startsWith('gone') ? { at: 'RCPT TO', code: 550 } : undefined),
    });
    await seedMail(service, { to: 'gone@example.com' });
    const other = await seedMail(service);
    await sendDueMessages(service, 'email', settingsFor(server));
    expect((await readMessage(service, other)).status).toBe('sent');
  });
});

describe('an unreachable server', () => {
  const unreachable = 'the mail server cannot be reached (ECONNREFUSED)';
  const startUnreachable = async () => {
    const gone = await startMailServer();
    await gone.stop();
    return gone;
  };

  test('is retried after growing waits, and the mail fails with an error after ten attempts', async ({
    service,
  }) => {
    const gone = await startUnreachable();
    const clock = createFakeClock(new Date('2026-11-17T12:00:00Z'));
    const id = await seedMail(service, { now: clock.now() });
    const waits: number[] = [];
    for (let attempt = 1; attempt < 10; attempt++) {
      await sendDueMessages(service, 'email', settingsFor(gone), { clock });
      const message = await readMessage(service, id);
      expect(message).toMatchObject({ status: 'pending', attemptCount: attempt, lastError: unreachable });
      waits.push((message.nextAttemptAt!.getTime() - clock.now().getTime()) / 1_000);
      await sendDueMessages(service, 'email', settingsFor(gone), { clock });
      expect((await readMessage(service, id)).attemptCount).toBe(attempt);
      clock.set(message.nextAttemptAt!);
    }
    const planned = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200, 86_400];
    expect(waits).toHaveLength(planned.length);
    waits.forEach((wait, i) => {
      expect(wait).toBeGreaterThanOrEqual(planned[i]! * 0.8);
      expect(wait).toBeLessThanOrEqual(planned[i]! * 1.2);
    });
    const { errors } = await sendDueMessages(service, 'email', settingsFor(gone), { clock });
    expect(errors.map(({ message }) => message)).toEqual([`message ${id} failed: ${unreachable}`]);
    expect(await readMessage(service, id)).toMatchObject({
      status: 'failed',
      attemptCount: 10,
      contentEncrypted: null,
    });
  });

  test('receives the mail once it is reachable', async ({ service }) => {
    const gone = await startUnreachable();
    const clock = createFakeClock(new Date('2026-11-17T12:00:00Z'));
    const id = await seedMail(service, { now: clock.now() });
    await sendDueMessages(service, 'email', settingsFor(gone), { clock });
    await using back = await startMailServer({ port: gone.port });
    clock.set((await readMessage(service, id)).nextAttemptAt!);
    await sendDueMessages(service, 'email', settingsFor(gone), { clock });
    expect(back.mails).toHaveLength(1);
    expect((await readMessage(service, id)).status).toBe('sent');
  });

  test('that never responds causes a timeout', async ({ service }) => {
    const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as net.AddressInfo;
    const id = await seedMail(service);
    await sendDueMessages(service, 'email', settingsFor({ port }), { timeoutMs: 200 });
    expect(await readMessage(service, id)).toMatchObject({
      status: 'pending',
      lastError: 'the mail server timed out',
    });
    silent.close();
  });
});

test('a worker that is killed after the server accepted a mail causes a second copy with the same Message-ID', async ({
  service,
}) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using first = await startMailServer({ beforeReply: () => held });
  const id = await seedMail(service);
  const killed = sendDueMessages(service, 'email', settingsFor(first));
  await first.waitFor(1);
  // Expires the lease of the killed worker.
  await service.prisma.message.update({ where: { id: id! }, data: { leasedUntil: new Date(0) } });
  await using second = await startMailServer();
  await sendDueMessages(service, 'email', settingsFor(second));
  expect(second.mails[0]!.headers.get('message-id')).toBe(first.mails[0]!.headers.get('message-id'));
  release();
  await killed;
  // The late result of the first attempt is ignored.
  expect(await readMessage(service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
});

test('mail is captured without a server, and mail to sandbox customers also with one', async ({
  service,
}) => {
  const id = await seedMail(service);
  await sendDueMessages(service, 'email', {});
  const captured = await readMessage(service, id);
  expect(captured).toMatchObject({ status: 'captured', attemptCount: 0 });
  expect((await readContent(service, captured)).text).toContain('https://pay.example/pay/refund/secret');
  expect(captured.contentEncrypted).not.toContain('pay.example');

  await using server = await startMailServer();
  const customers = await seedMail(service, { mode: 'sandbox' });
  const owners = await seedMail(service, { mode: 'sandbox', audience: 'staff' });
  await sendDueMessages(service, 'email', settingsFor(server));
  expect((await readMessage(service, customers)).status).toBe('captured');
  expect((await readMessage(service, owners)).status).toBe('sent');
  expect(server.mails).toHaveLength(1);
});

test('expired mail is not sent', async ({ service }) => {
  await using server = await startMailServer();
  const now = new Date();
  const id = await seedMail(service, { now, expiresAt: new Date(now.getTime() - 1) });
  await sendDueMessages(service, 'email', settingsFor(server));
  expect(server.mails).toHaveLength(0);
  expect(await readMessage(service, id)).toMatchObject({ status: 'failed', attemptCount: 0 });
});

describe('a slow mail server', () => {
  test('receives the mail once, because its lease is renewed until the server responds', async ({
    service,
  }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using server = await startMailServer({ beforeReply: () => held });
    const id = await seedMail(service);
    const sending = sendDueMessages(service, 'email', settingsFor(server), {
      timeoutMs: 3_000,
      leaseMs: 4_500,
    });
    await server.waitFor(1);
    const first = (await readMessage(service, id)).leasedUntil!.getTime();
    // Longer than the timeout and the lease.
    await expect
      .poll(async () => (await readMessage(service, id)).leasedUntil?.getTime() ?? 0)
      .toBeGreaterThan(first + 4_000);
    await sendDueMessages(service, 'email', settingsFor(server));
    release();
    await sending;
    expect(server.mails).toHaveLength(1);
    expect(await readMessage(service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
  });

  test('delays no other mail', async ({ service }) => {
    const { promise: allReceived, resolve: release } = Promise.withResolvers<void>();
    let mails = 0;
    await using server = await startMailServer({
      beforeReply: async () => {
        mails++;
        if (mails === 11) release();
        if (mails === 1) await allReceived;
      },
    });
    await Promise.all(Array.from({ length: 11 }, () => seedMail(service)));
    await sendDueMessages(service, 'email', settingsFor(server), { responseWaitMs: 100 });
    expect(server.mails).toHaveLength(11);
    expect(await service.prisma.message.count({ where: { status: 'sent', attemptCount: 1 } })).toBe(11);
  });

  test('receives at most ten mails concurrently', async ({ service }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using server = await startMailServer({ beforeReply: () => held });
    await Promise.all(Array.from({ length: 14 }, () => seedMail(service)));
    const sending = sendDueMessages(service, 'email', settingsFor(server), { responseWaitMs: 100 });
    await server.waitFor(10);
    // Waiting mails are not claimed, so that they use up no attempt.
    expect(await service.prisma.message.count({ where: { leasedUntil: null } })).toBe(4);
    release();
    await sending;
    expect(server.mails).toHaveLength(14);
    expect(server.connections()).toBe(10);
    expect(await service.prisma.message.count({ where: { status: 'sent', attemptCount: 1 } })).toBe(14);
  });

  test('that never responds makes the attempt fail after a timeout', async ({ service }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using server = await startMailServer({ beforeReply: () => held });
    const id = await seedMail(service);
    await sendDueMessages(service, 'email', settingsFor(server), { responseTimeoutMs: 200 });
    expect(await readMessage(service, id)).toMatchObject({
      status: 'pending',
      attemptCount: 1,
      lastError: 'the mail server timed out',
    });
    release();
  });

  test('that closes the connection makes the attempt fail, and the mail is retried', async ({ service }) => {
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
});

describe('TLS', () => {
  test('required, a server without STARTTLS receives no mail', async ({ service }) => {
    await using server = await startMailServer({ hideTls: true });
    const message = await sendTo(service, `smtp://127.0.0.1:${server.port}?tls=required`);
    expect(message).toMatchObject({
      status: 'pending',
      lastError: 'the mail server responded with 500 to STARTTLS',
    });
    expect(server.mails).toEqual([]);
  });

  test.for([
    ['STARTTLS', false, 'smtp', '?tls=required'],
    ['TLS from the first byte', true, 'smtps', ''],
  ] as const)('rejects an untrusted certificate at %s', async ([_, secure, scheme, query], { service }) => {
    await using server = await startMailServer({ secure });
    const message = await sendTo(service, `${scheme}://127.0.0.1:${server.port}${query}`);
    expect(message).toMatchObject({ status: 'pending', lastError: noTrust });
    expect(server.mails).toEqual([]);
  });

  test.skipIf(!hasOpenssl).for([
    ['STARTTLS', false, 'smtp', '?tls=required'],
    ['TLS from the first byte', true, 'smtps', ''],
  ] as const)(
    'a certificate that is trusted lets mail through at %s (needs openssl)',
    async ([_, secure, scheme, query], { service }) => {
      const pair = createCertificate();
      const trusted = tls.getCACertificates('default');
      tls.setDefaultCACertificates([...trusted, pair.cert]);
      onTestFinished(() => tls.setDefaultCACertificates(trusted));
      await using server = await startMailServer({ secure, ...pair });
      const message = await sendTo(service, `${scheme}://127.0.0.1:${server.port}${query}`);
      expect(message).toMatchObject({ status: 'sent', lastError: null });
      expect(server.mails.map(({ isSecure }) => isSecure)).toEqual([true]);
    },
  );
});
