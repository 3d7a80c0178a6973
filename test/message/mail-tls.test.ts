import tls from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/service.ts';
import { parseMailbox, parseSmtpUrl } from '../../src/kit/smtp-url.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { makeMail, readMessage, sendDue } from '../setup/messages.ts';
import { hasOpenssl, selfSigned } from '../setup/openssl.ts';
import { testService } from '../setup/service.ts';

/** Mail goes over TLS that is verified, or not at all, unless the operator says otherwise. */

let service: Service;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  await service.prisma.message.deleteMany();
});

const trusted = tls.getCACertificates('default');
afterEach(() => tls.setDefaultCACertificates(trusted));

async function sendTo(smtpUrl: string) {
  const id = await makeMail(service);
  await sendDue(service, 'email', { smtpUrl, mailFrom: 'pay@shop.example' });
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
      const pair = selfSigned();
      tls.setDefaultCACertificates([...trusted, pair.cert]);
      await using server = await startMailServer({ secure, ...pair });
      const message = await sendTo(`${scheme}://127.0.0.1:${server.port}${query}`);
      expect(message).toMatchObject({ status: 'sent', lastError: null });
      expect(server.mails.map(({ isSecure }) => isSecure)).toEqual([true]);
    },
  );
});

test.each([
  ['smtps://mail.example', { port: 465, tls: 'implicit' }],
  ['smtp://mail.example', { port: 587, tls: 'starttls' }],
  ['smtp://u:p%40@mail.example:2525', { port: 2525, tls: 'starttls', user: 'u', password: 'p@' }],
  ['smtp://mail.example:25?tls=none', { port: 25, tls: 'none' }],
  ['smtp://localhost:1025', { tls: 'none' }],
  ['smtp://[::1]:1025', { host: '::1', tls: 'none' }],
  ['smtp://127.0.0.1:1025', { tls: 'none' }],
  ['smtp://127.0.0.1:1025?tls=required', { tls: 'starttls' }],
  // A name that anybody may have.
  ['smtp://u:p@127.mail.example', { host: '127.mail.example', tls: 'starttls' }],
])('SMTP_URL %s is read', (text, expected) => {
  expect(parseSmtpUrl(text)).toMatchObject(expected);
});

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example/path',
  'smtp://mail.example?rejectUnauthorized=false',
  'smtp://mail.example?tls=maybe',
  'smtp://mail.example?tls=none&tls=required',
  'smtps://mail.example?tls=none',
])('SMTP_URL %s is refused', (text) => {
  expect(parseSmtpUrl(text)).toBeUndefined();
});

test.each([
  ['pay@shop.example', { name: '', address: 'pay@shop.example' }],
  ['Harbour Teas <pay@shop.example>', { name: 'Harbour Teas', address: 'pay@shop.example' }],
  ['"Teas, Ltd" <pay@shop.example>', { name: 'Teas, Ltd', address: 'pay@shop.example' }],
  ['pay', undefined],
  ['A <a@b.example>, B <b@b.example>', undefined],
  ['A\r\nBcc: x <a@b.example>', undefined],
])('MAIL_FROM %j is read as one address or refused', (text, expected) => {
  expect(parseMailbox(text)).toEqual(expected);
});
