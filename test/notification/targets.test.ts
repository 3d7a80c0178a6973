import { describe, expect, onTestFinished, test } from 'vitest';
import { isPrivateAddress } from '../../src/kit/private-address.ts';
import { createPoster } from '../../src/notification/post.ts';
import { startReceiver } from '../setup/receiver.ts';

const request = (url: string) => ({ url, body: '{}', headers: { 'webhook-id': 'ev_1' } });

type Answer = { address: string; family: number }[];

/** A poster whose name server is the test's own: it gives one answer after the other, and the last again and again. */
function posterWith(answers: Answer[], options: { allowPrivateWebhookUrls?: boolean } = {}) {
  let asked = 0;
  const poster = createPoster({
    allowPrivateWebhookUrls: false,
    timeoutMs: 2_000,
    ...options,
    resolve: async () => answers[Math.min(asked++, answers.length - 1)]!,
  });
  onTestFinished(() => poster.close());
  return { poster, asked: () => asked };
}

const loopback: Answer = [{ address: '127.0.0.1', family: 4 }];
/** Of a block that was given back to IANA (RFC 3701): public by its form, and leading nowhere. */
const nowhere: Answer = [{ address: '3ffe::dead', family: 6 }];

describe('a name that changes its address', () => {
  test('to a private one is refused at that attempt: what is checked is what is connected to', async () => {
    await using receiver = await startReceiver();
    const { poster, asked } = posterWith([nowhere, loopback]);
    const url = `http://shop.example:${receiver.port}/`;
    expect((await poster.post(request(url))).error).not.toBe('the address is a private or loopback address');
    expect(await poster.post(request(url))).toMatchObject({
      error: 'the address is a private or loopback address',
    });
    expect(asked()).toBe(2);
    expect(receiver.requests).toHaveLength(0);
  });

  test('is asked for once in a connection: there is no second answer that is not looked at', async () => {
    await using receiver = await startReceiver();
    const { poster, asked } = posterWith([loopback, nowhere], { allowPrivateWebhookUrls: true });
    expect(await poster.post(request(`http://shop.example:${receiver.port}/`))).toMatchObject({
      status: 200,
    });
    expect(asked()).toBe(1);
  });

  test('with a public address beside a private one is never called at the private one', async () => {
    await using receiver = await startReceiver();
    const privateOnes = [...loopback, { address: '::1', family: 6 }];
    for (const addresses of [
      [...privateOnes, ...nowhere],
      [...nowhere, ...privateOnes],
    ]) {
      const { poster } = posterWith([addresses]);
      expect((await poster.post(request(`http://shop.example:${receiver.port}/`))).status).toBeNull();
    }
    expect(receiver.requests).toHaveLength(0);
  });
});

describe.each([
  ['loopback', ['127.0.0.1', '127.1.2.3', '::1']],
  ['this host', ['0.0.0.0', '0.1.2.3', '::']],
  [
    'private',
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.255.255', 'fc00::1', 'fdff::1', 'fec0::1'],
  ],
  [
    'link-local and metadata',
    ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fd00:ec2::254'],
  ],
  ['carrier-grade', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  ['multicast and broadcast', ['224.0.0.1', '239.1.1.1', '255.255.255.255', 'ff02::1']],
  [
    'reserved and documentation',
    ['192.0.0.1', '192.0.2.1', '198.18.0.1', '203.0.113.9', '240.0.0.1', '2001:db8::1', '3fff::1'],
  ],
  ['mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::FFFF:10.0.0.1']],
  ['compatible and translated', ['::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1', '::ffff:0:7f00:1']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1']],
  ['of no use on the public network', ['100::1', '5f00::1', '4000::1', 'fe80::1%lo']],
])('%s addresses', (_, addresses) => {
  test.each(addresses)('%s is refused, written plainly and as what a name resolves to', async (address) => {
    expect(isPrivateAddress(address)).toBe(true);
    const family = address.includes(':') ? 6 : 4;
    const { poster } = posterWith([[{ address, family }]]);
    const refused = { status: null, error: 'the address is a private or loopback address' };
    expect(await poster.post(request('http://shop.example/'))).toMatchObject(refused);
    if (address.includes('%')) return;
    expect(await poster.post(request(`http://${family === 6 ? `[${address}]` : address}/`))).toMatchObject(
      refused,
    );
  });
});
