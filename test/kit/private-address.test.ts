import { describe, expect, test } from 'vitest';
import { isPrivateAddress, isPrivateHost } from '../../src/kit/private-address.ts';

describe('addresses that no notification goes to', () => {
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
  ])('%s', (address) => expect(isPrivateAddress(address)).toBe(true));
});

describe('addresses of the public network', () => {
  test.each([
    '1.1.1.1',
    '172.32.0.1',
    '168.63.129.17',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s', (address) => expect(isPrivateAddress(address)).toBe(false));
});

test('hosts as URLs write them', () => {
  for (const host of ['localhost', 'api.localhost', '127.0.0.1', '[::1]'])
    expect(isPrivateHost(host)).toBe(true);
  for (const host of ['example.com', '8.8.8.8']) expect(isPrivateHost(host)).toBe(false);
});
