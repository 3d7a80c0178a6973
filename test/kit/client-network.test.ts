import { expect, test } from 'vitest';
import { clientNetwork, clientNetworks } from '../../src/kit/client-network.ts';

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
  expect(clientNetwork(address)).toBe(network);
});

test('of IPv6, those around it are known too', () => {
  expect(clientNetworks('2001:db8:1:12ff::9')).toEqual([
    '2001:db8:1:12ff::/64',
    '2001:db8:1:1200::/56',
    '2001:db8:1::/48',
  ]);
  expect(clientNetworks('::1')).toEqual(['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']);
  expect(clientNetworks('::ffff:192.0.2.1')).toEqual(['192.0.2.1']);
});
