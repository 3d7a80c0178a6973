import { once } from 'node:events';
import net from 'node:net';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { attemptsAllowed } from '../../src/message/message-state.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { readContent, readMessage, seedMail, sendDueMessages } from '../setup/messages.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Mail against a real SMTP server. */

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

const mailFrom = 'Harbour Teas <pay@shop.example>';
const settingsFor = ({ port }: { port: number }) => ({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom });

describe('a mail', () => {
  test('arrives once, as text and HTML, from MAIL_FROM, with an id of its own; then its content is gone', async () => {
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

  test('of reminders names where a program switches them off with one click, over https', async () => {
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

  test('cannot smuggle headers or recipients in, whatever its subject and address say', async () => {
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

  test('is made once for its key, however many ask at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => seedMail(service, { dedupeKey: 'refund-link re_1 0' })),
    );
    expect(ids.filter((id) => id !== null)).toHaveLength(1);
    expect(await service.prisma.message.count()).toBe(1);
  });

  test('is sent once by two workers that share fifty', async () => {
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

  test('with a user signs in', async () => {
    const credentials = { user: 'causeway', password: 'p@ss word' };
    await using server = await startMailServer({ credentials });
    const id = await seedMail(service);
    const smtpUrl = `smtp://causeway:p%40ss%20word@127.0.0.1:${server.port}`;
    await sendDueMessages(service, 'email', { smtpUrl, mailFrom });
    expect(server.mails.map(({ user }) => user)).toEqual(['causeway']);
    expect((await readMessage(service, id)).status).toBe('sent');
  });
});

describe('a refusal', () => {
  test.each([
    ['RCPT TO', 550, 'failed', 'the mail server answered 550 to RCPT TO'],
    ['RCPT TO', 451, 'pending', 'the mail server answered 451 to RCPT TO'],
    ['DATA', 554, 'failed', 'the mail server answered 554 to DATA'],
    ['DATA', 452, 'pending', 'the mail server answered 452 to DATA'],
    // The sender is everybody's: that is for the operator to mend, and no mail's own fault.
    ['MAIL FROM', 550, 'pending', 'the mail server answered 550 to MAIL FROM'],
  ] as const)('of %s with %i leaves it %s', async (at, code, status, lastError) => {
    await using server = await startMailServer({ rejectWith: () => ({ at, code }) });
    const id = await seedMail(service);
    const { errors } = await sendDueMessages(service, 'email', settingsFor(server));
    const message = await readMessage(service, id);
    expect(message).toMatchObject({ status, lastError, attemptCount: 1 });
    expect(message.contentEncrypted === null).toBe(status === 'failed');
    expect(errors.map(({ message }) => message)).toEqual(
      status === 'failed' ? [`message ${id} failed: ${lastError}`] : [],
    );
  });

  test('of the password waits for the operator', async () => {
    await using server = await startMailServer({ credentials: { user: 'a', password: 'right' } });
    const id = await seedMail(service);
    await sendDueMessages(service, 'email', { smtpUrl: `smtp://a:wrong@127.0.0.1:${server.port}`, mailFrom });
    expect(await readMessage(service, id)).toMatchObject({
      status: 'pending',
      lastError: expect.stringMatching(/answered 535|rejected the credentials/),
    });
  });

  test('of one mail does not keep the others', async () => {
    await using server = await startMailServer({
      rejectWith: (to) => (to.startsWith('gone') ? { at: 'RCPT TO', code: 550 } : undefined),
    });
    await seedMail(service, { to: 'gone@example.com' });
    const other = await seedMail(service);
    await sendDueMessages(service, 'email', settingsFor(server));
    expect((await readMessage(service, other)).status).toBe('sent');
  });
});

describe('a server that is down', () => {
  const unreachable = 'the mail server cannot be reached (ECONNREFUSED)';
  const startGone = async () => {
    const gone = await startMailServer();
    await gone.stop();
    return gone;
  };

  test('is tried again after waits that grow; after ten attempts a mail is given up, and that is told', async () => {
    const gone = await startGone();
    const clock = createFakeClock(new Date('2026-11-17T12:00:00Z'));
    const id = await seedMail(service, { now: clock.now() });
    const waits: number[] = [];
    for (let attempt = 1; attempt < attemptsAllowed; attempt++) {
      await sendDueMessages(service, 'email', settingsFor(gone), { clock });
      const message = await readMessage(service, id);
      expect(message).toMatchObject({ status: 'pending', attemptCount: attempt, lastError: unreachable });
      waits.push((message.nextAttemptAt!.getTime() - clock.now().getTime()) / 1_000);
      // Not before it is due.
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
      attemptCount: attemptsAllowed,
      contentEncrypted: null,
    });
  });

  test('gets the mail when it is back', async () => {
    const gone = await startGone();
    const clock = createFakeClock(new Date('2026-11-17T12:00:00Z'));
    const id = await seedMail(service, { now: clock.now() });
    await sendDueMessages(service, 'email', settingsFor(gone), { clock });
    await using back = await startMailServer({ port: gone.port });
    clock.set((await readMessage(service, id)).nextAttemptAt!);
    await sendDueMessages(service, 'email', settingsFor(gone), { clock });
    expect(back.mails).toHaveLength(1);
    expect((await readMessage(service, id)).status).toBe('sent');
  });

  test('or never answers is cut off', async () => {
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

test('a worker killed after the server had taken the mail leads to a second copy with the same Message-ID', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using first = await startMailServer({ beforeReply: () => held });
  const id = await seedMail(service);
  const killed = sendDueMessages(service, 'email', settingsFor(first));
  await first.waitFor(1);
  // The claim of the dead runs out.
  await service.prisma.message.update({ where: { id: id! }, data: { leasedUntil: new Date(0) } });
  await using second = await startMailServer();
  await sendDueMessages(service, 'email', settingsFor(second));
  expect(second.mails[0]!.headers.get('message-id')).toBe(first.mails[0]!.headers.get('message-id'));
  release();
  await killed;
  // What the slow one says now counts no more.
  expect(await readMessage(service, id)).toMatchObject({ status: 'sent', attemptCount: 1 });
});

test('without a server mail stays in the mailbox, readable; with one, sandbox customers’ mail stays there too', async () => {
  const id = await seedMail(service);
  await sendDueMessages(service, 'email', {});
  const kept = await readMessage(service, id);
  expect(kept).toMatchObject({ status: 'captured', attemptCount: 0 });
  expect((await readContent(service, kept)).text).toContain('https://pay.example/pay/refund/secret');
  expect(kept.contentEncrypted).not.toContain('pay.example');

  await using server = await startMailServer();
  const customers = await seedMail(service, { mode: 'sandbox' });
  const owners = await seedMail(service, { mode: 'sandbox', audience: 'staff' });
  await sendDueMessages(service, 'email', settingsFor(server));
  expect((await readMessage(service, customers)).status).toBe('captured');
  expect((await readMessage(service, owners)).status).toBe('sent');
  expect(server.mails).toHaveLength(1);
});

test('what is of no use any more is not sent', async () => {
  await using server = await startMailServer();
  const now = new Date();
  const id = await seedMail(service, { now, expiresAt: new Date(now.getTime() - 1) });
  await sendDueMessages(service, 'email', settingsFor(server));
  expect(server.mails).toHaveLength(0);
  expect(await readMessage(service, id)).toMatchObject({ status: 'failed', attemptCount: 0 });
});
