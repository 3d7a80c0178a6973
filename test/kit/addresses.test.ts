import { describe, expect, test } from 'vitest';
import { getClientNetwork, listClientNetworks } from '../../src/kit/client-network.ts';
import { parseEmail, parsePhone } from '../../src/kit/contact.ts';
import { isPrivateAddress, isPrivateHost } from '../../src/kit/private-address.ts';
import { parseMailbox, parseSmtpUrl } from '../../src/kit/smtp-url.ts';

describe('Client network', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['::FFFF:CB00:7105', '203.0.113.5'],
    ['0:0:0:0:0:ffff:cb00:7105', '203.0.113.5'],
    ['[::ffff:203.0.113.5]:443', '203.0.113.5'],
    ['unknown', 'unknown'],
    ['203.0.113.5, 192.0.2.1', 'unknown'],
    ['203.0.113.5:a', 'unknown'],
    ['_hidden7', 'unknown'],
    ['', 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(getClientNetwork(address)).toBe(network);
  });

  test('includes the surrounding IPv6 networks', () => {
    expect(listClientNetworks('2001:db8:1:12ff::9')).toEqual([
      '2001:db8:1:12ff::/64',
      '2001:db8:1:1200::/56',
      '2001:db8:1::/48',
    ]);
    expect(listClientNetworks('::1')).toEqual(['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']);
    expect(listClientNetworks('::ffff:192.0.2.1')).toEqual(['192.0.2.1']);
  });
});

describe('Private addresses', () => {
  describe('that receive no notifications', () => {
    test.each([
      '127.0.0.1',
      '127.255.255.254',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '100.64.0.1',
      '192.88.99.1',
      '198.19.255.255',
      '198.51.100.7',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      'fc00::1',
      '::ffff:10.0.0.1',
      '::ffff:7f00:1',
      '2002:7f00:1::',
      '64:ff9b::a00:1',
      'ff02::1',
    ])('include %s', (address) => expect(isPrivateAddress(address)).toBe(true));
  });

  describe('of the internet', () => {
    test.each([
      '1.1.1.1',
      '172.32.0.1',
      '168.63.129.17',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450:4001::1',
    ])('do not include %s', (address) => expect(isPrivateAddress(address)).toBe(false));
  });

  test('are recognized as URLs write them', () => {
    for (const host of ['localhost', 'api.localhost', '127.0.0.1', '[::1]'])
      expect(isPrivateHost(host)).toBe(true);
    for (const host of ['example.com', '8.8.8.8']) expect(isPrivateHost(host)).toBe(false);
  });
});

describe('SMTP_URL', () => {
  test.each([
    ['smtps://mail.example', { port: 465, tls: 'implicit' }],
    ['smtp://mail.example', { port: 587, tls: 'starttls' }],
    ['smtp://u:p%40@mail.example:2525', { port: 2525, tls: 'starttls', user: 'u', password: 'p@' }],
    ['smtp://mail.example:25?tls=none', { port: 25, tls: 'none' }],
    ['smtp://localhost:1025', { tls: 'none' }],
    ['smtp://[::1]:1025', { host: '::1', tls: 'none' }],
    ['smtp://127.0.0.1:1025', { tls: 'none' }],
    ['smtp://127.0.0.1:1025?tls=required', { tls: 'starttls' }],
    // Any computer may have such a name.
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
  ])('rejects %s', (text) => {
    expect(parseSmtpUrl(text)).toBeUndefined();
  });

  test.each([
    ['pay@shop.example', { name: '', address: 'pay@shop.example' }],
    ['Harbour Teas <pay@shop.example>', { name: 'Harbour Teas', address: 'pay@shop.example' }],
    ['"Teas, Ltd" <pay@shop.example>', { name: 'Teas, Ltd', address: 'pay@shop.example' }],
    ['pay', undefined],
    ['A <a@b.example>, B <b@b.example>', undefined],
    ['A\r\nBcc: x <a@b.example>', undefined],
  ])('reads MAIL_FROM %j as one address or rejects it', (text, expected) => {
    expect(parseMailbox(text)).toEqual(expected);
  });
});

describe('Contacts', () => {
  const createExpectedError = (path: string) =>
    expect.objectContaining({ code: 'invalid_request', inputErrors: [expect.objectContaining({ path })] });

  describe('email addresses', () => {
    test.each(['ada@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com"])('accept %s', (email) => {
      expect(parseEmail(email, '/email')).toBe(email);
    });
    test.each([
      'ada',
      'ada@',
      '@example.com',
      'a b@example.com',
      'ada@example',
      'a@b@example.com',
      `${'x'.repeat(250)}@e.com`,
    ])('reject %s', (email) => {
      expect(() => parseEmail(email, '/email')).toThrow(createExpectedError('/email'));
    });
  });

  describe('phone numbers', () => {
    test.each([
      [{ code: '+852', phone: '5123 4567' }, '+85251234567'],
      [{ code: '+65', phone: '8123-4567' }, '+6581234567'],
      [{ code: '852', phone: '51234567' }, '+85251234567'],
    ])('%o is %s', (input, e164) => expect(parsePhone(input, '/phone')).toBe(e164));
    test.each([
      { code: '+852', phone: '12' },
      { code: '+999', phone: '51234567' },
      { code: '', phone: '51234567' },
      { code: '+852', phone: 'abc' },
    ])('reject %o', (input) => {
      expect(() => parsePhone(input, '/phone')).toThrow(createExpectedError('/phone'));
    });
  });
});
