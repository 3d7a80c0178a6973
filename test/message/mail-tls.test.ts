import tls from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { readMessage, seedMail, sendDueMessages } from '../setup/messages.ts';
import { createCertificate, hasOpenssl } from '../setup/openssl.ts';
import { setupService } from '../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Mail goes over TLS that is verified, or not at all, unless the operator says otherwise. */

let service: Service;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

const trusted = tls.getCACertificates('default');
afterEach(() => tls.setDefaultCACertificates(trusted));

async function sendTo(smtpUrl: string) {
  const id = await seedMail(service);
  await sendDueMessages(service, 'email', { smtpUrl, mailFrom: 'pay@shop.example' });
  return readMessage(service, id);
}

const noTrust = expect.stringMatching(/^the certificate of the mail server is not trusted \(.+\)$/);

describe('TLS', () => {
  test('a server without STARTTLS gets no mail where TLS is required', async () => {
    await using server = await startMailServer({ hideTls: true });
    const message = await sendTo(`smtp://127.0.0.1:${server.port}?tls=required`);
    expect(message).toMatchObject({
      status: 'pending',
      lastError: 'the mail server answered 500 to STARTTLS',
    });
    expect(server.mails).toEqual([]);
  });

  test.each([
    ['STARTTLS', false, 'smtp', '?tls=required'],
    ['TLS from the first byte', true, 'smtps', ''],
  ])('a certificate that nobody vouches for is refused at %s', async (_, secure, scheme, query) => {
    await using server = await startMailServer({ secure });
    const message = await sendTo(`${scheme}://127.0.0.1:${server.port}${query}`);
    expect(message).toMatchObject({ status: 'pending', lastError: noTrust });
    expect(server.mails).toEqual([]);
  });

  test.skipIf(!hasOpenssl).each([
    ['STARTTLS', false, 'smtp', '?tls=required'],
    ['TLS from the first byte', true, 'smtps', ''],
  ])(
    'a certificate that is trusted lets mail through at %s (needs openssl)',
    async (_, secure, scheme, query) => {
      const pair = createCertificate();
      tls.setDefaultCACertificates([...trusted, pair.cert]);
      await using server = await startMailServer({ secure, ...pair });
      const message = await sendTo(`${scheme}://127.0.0.1:${server.port}${query}`);
      expect(message).toMatchObject({ status: 'sent', lastError: null });
      expect(server.mails.map(({ isSecure }) => isSecure)).toEqual([true]);
    },
  );
});
