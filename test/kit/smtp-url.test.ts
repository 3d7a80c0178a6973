import { expect, test } from 'vitest';
import { parseMailbox, parseSmtpUrl } from '../../src/kit/smtp-url.ts';

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
