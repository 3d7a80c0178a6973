import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isPrivateAddress } from '../../src/kit/private-address.ts';
import {
  createHostResolver,
  type ResolveHost,
  type ResolveHostOptions,
} from '../../src/notification/guarded-lookup.ts';
import { createPoster, type PostResult } from '../../src/notification/post.ts';
import type { OnCleanup } from '../setup/cleanup.ts';
import { createCertificate, hasOpenssl } from '../setup/openssl.ts';
import { drip, floodResponse, neverRespond, respondWith, startReceiver } from '../setup/receiver.ts';
import { createTempDir } from '../setup/temp-dir.ts';

function poster(options: { allowPrivateTargets?: boolean; timeoutMs?: number } = {}) {
  const created = createPoster({ allowPrivateTargets: true, ...options });
  onTestFinished(() => created.close());
  return created;
}

const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

const request = (url: string) => ({ url, body: '{"a":"é"}', headers: { 'webhook-id': 'ev_1' } });

async function expectRejected(url: (port: number) => string): Promise<void> {
  await using receiver = await startReceiver();
  const result = await poster({ allowPrivateTargets: false }).post(request(url(receiver.port)));
  expect(result).toMatchObject({ status: null, error: 'the address is a private or loopback address' });
  expect(receiver.requests).toHaveLength(0);
}

const typeA = 1;

const typeAaaa = 28;

const nameError = 3;

type Answers = (name: string, type: number) => string[] | 'unknown' | 'no response';

/** Starts a name server (RFC 1035). */
async function startNameServer(responses: Answers): Promise<string> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const response = responses(name, type);
    if (response === 'no response') return;
    const records = response === 'unknown' ? [] : response.map((text) => record(text, type));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (response === 'unknown' ? nameError : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let position = 12;
  for (let length = query[position]!; length > 0; length = query[position]!) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(position + 1), end: position + 5 };
}

/** A record for the name in the question, with a lifetime of zero. */
function record(address: string, type: number): Buffer {
  const data =
    type === typeA
      ? Buffer.from(address.split('.').map(Number))
      : Buffer.from(
          address
            .split(':')
            .map((part) => part.padStart(4, '0'))
            .join(''),
          'hex',
        );
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

const toShopUrl: Answers = (name, type) => {
  if (name.startsWith('dead')) return 'no response';
  if (name.startsWith('half') && type === typeAaaa) return 'no response';
  if (!name.endsWith('shop.example')) return 'unknown';
  return type === typeA ? ['127.0.0.1'] : ['3ffe:0:0:0:0:0:0:dead'];
};

/** A resolver with the test's own name server and hosts file. */
async function createTestResolver(options: ResolveHostOptions & { hosts?: string } = {}) {
  const hostsFile = join(await createTempDir(onTestFinished), 'hosts');
  if (options.hosts !== undefined) writeFileSync(hostsFile, options.hosts);
  const systemQueries: string[] = [];
  const system: ResolveHost = async (hostname) => {
    systemQueries.push(hostname);
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  };
  const servers = [await startNameServer(toShopUrl)];
  const resolve = createHostResolver({ servers, hostsFile, system, ...options });
  const resolveName = (hostname: string) =>
    resolve(hostname).then(
      (addresses) => addresses.map(({ address }) => address),
      ({ code }) => code as string,
    );
  return { resolve, resolveName, systemQueries };
}

type Answer = { address: string; family: number }[];

/** A poster whose resolver returns one answer after the other, and repeats the last. */
function createPosterWith(responses: Answer[], options: { allowPrivateTargets?: boolean } = {}) {
  let queries = 0;
  const poster = createPoster({
    allowPrivateTargets: false,
    timeoutMs: 2_000,
    ...options,
    resolve: async () => responses[Math.min(queries++, responses.length - 1)]!,
  });
  onTestFinished(() => poster.close());
  return { poster, countQueries: () => queries };
}

const loopback: Answer = [{ address: '127.0.0.1', family: 4 }];

/** A public address without a route; its block was returned to IANA (RFC 3701). */
const nowhere: Answer = [{ address: '3ffe::dead', family: 6 }];

describe('a post', () => {
  test('sends the exact bytes with their length, and requests no compression', async () => {
    await using receiver = await startReceiver(respondWith(201, {}, 'thanks'));
    const result = await poster().post(request(`${receiver.url}/hooks?shop=1`));
    expect(result).toMatchObject({ status: 201, error: null, responseBody: 'thanks', retryAfter: null });
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hooks?shop=1', body: '{"a":"é"}' });
    expect(receiver.requests[0]?.headers).toMatchObject({
      'webhook-id': 'ev_1',
      'content-length': '10',
      'accept-encoding': 'identity',
    });
  });

  test.each(['http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd'])(
    'treats a redirect to %s as a failure',
    async (location) => {
      await using receiver = await startReceiver(respondWith(302, { location }));
      expect(await poster().post(request(receiver.url))).toMatchObject({ status: 302, responseBody: '' });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('does not follow a redirect', async () => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver(respondWith(307, { location: elsewhere.url }));
    expect(await poster().post(request(receiver.url))).toMatchObject({ status: 307, error: null });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nthanks'],
    [
      'early hints before the response',
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nthanks',
    ],
    ['a response that ends with the connection', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthanks'],
  ])('accepts %s', async (_, response) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.end(response)),
    );
    expect(await poster().post(request(url))).toMatchObject({
      status: 200,
      error: null,
      responseBody: 'thanks',
    });
  });

  test('times out when a receiver has not responded for 15 seconds', async () => {
    await using receiver = await startReceiver(neverRespond());
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    onTestFinished(() => timeout.mockRestore());
    const sent = poster().post(request(receiver.url));
    await receiver.waitFor(({ length }) => length === 1);
    expect(timeout).toHaveBeenCalledWith(15_000);
    controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
    expect(await sent).toMatchObject({ status: null, error: 'timed out', responseBody: null });
  });

  test('times out during a slow response, counted from its start and not from the last byte', async () => {
    await using receiver = await startReceiver(drip());
    const result = await poster({ timeoutMs: 300 }).post(request(receiver.url));
    expect(result).toMatchObject({ status: 200, error: 'timed out' });
    expect(result.responseBody).toMatch(/^\.+$/);
    expect(result.durationMs).toBeGreaterThanOrEqual(300);
  });

  test('reads a response to its end when the receiver closes the connection after it', async () => {
    await using receiver = await startReceiver(respondWith(200, { connection: 'close' }, 'x'.repeat(2_048)));
    const results = await Promise.all(Array.from({ length: 50 }, () => poster().post(request(receiver.url))));
    for (const result of results) {
      expect(result).toMatchObject({ status: 200, error: null, responseBody: 'x'.repeat(2_048) });
    }
  });

  test('stores the first 2 KiB of an endless response', async () => {
    await using receiver = await startReceiver(floodResponse());
    const result = await poster().post(request(receiver.url));
    expect(result).toMatchObject({ status: 200, error: null, responseBody: 'x'.repeat(2_048) });
  });

  test('does not decompress a response, and stores text that the database accepts', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0, 0x41]).toString('latin1');
    await using receiver = await startReceiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes, 'latin1'),
    );
    const { responseBody } = await poster().post(request(receiver.url));
    expect(responseBody).toBe('\u001f\ufffd\ufffdA');
  });

  test('truncates a response between characters', async () => {
    await using receiver = await startReceiver(respondWith(200, {}, `${'x'.repeat(2_047)}é`));
    expect((await poster().post(request(receiver.url))).responseBody).toBe('x'.repeat(2_047));
  });

  test('returns the Retry-After of the response', async () => {
    await using receiver = await startReceiver(respondWith(503, { 'retry-after': '90' }));
    expect(await poster().post(request(receiver.url))).toMatchObject({ status: 503, retryAfter: '90' });
  });
});

describe('a network error', () => {
  test('is returned when no server listens', async () => {
    const receiver = await startReceiver();
    await receiver.stop();
    expect(await poster().post(request(receiver.url))).toMatchObject({
      status: null,
      error: 'the connection was refused',
    });
  });

  test('is returned for a host name that cannot be resolved', async () => {
    expect(await poster().post(request('http://nobody.invalid/'))).toMatchObject({
      status: null,
      error: 'the host name could not be resolved',
    });
  });

  test.each([
    ['closes without a response', '', 'connection closed before the response was complete', null],
    [
      'closes during its response',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal',
      'connection closed before the response was complete',
      200,
    ],
    ['speaks no HTTP', 'SSH-2.0-x\r\n', 'the response is not valid HTTP', null],
  ])('is returned when the receiver %s', async (_, response, error, status) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.end(response)),
    );
    expect(await poster({ timeoutMs: 20_000 }).post(request(url))).toMatchObject({ status, error });
  });

  test.each([
    ['resets the connection after its headers', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 200],
    ['resets the connection before its headers', '', null],
  ])('is returned when the receiver %s', async (_, response, status) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.write(response || '\r', () => socket.resetAndDestroy())),
    );
    const result = await poster({ timeoutMs: 20_000 }).post(request(url));
    expect(result).toMatchObject({ status, error: expect.any(String) });
  });

  test.each([
    ['endless headers', 'HTTP/1.1 200 OK\r\n', 'x-more: header\r\n'],
    ['endless 1xx responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'],
    ['a body of chunk extensions', chunkedHead, `1;${'x'.repeat(4_000)}\r\n`],
  ])('is returned in time for %s', async (_, head, repeatedBytes) => {
    const url = await startRawServer(onTestFinished, (socket) => {
      socket.once('data', () => {
        socket.write(head);
        const timer = setInterval(() => socket.write(repeatedBytes.repeat(20)), 1);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const result = await poster({ timeoutMs: 1_000 }).post(request(url));
    expect(result.error).toMatch(
      /^(timed out|the response headers are too large|the response is not valid HTTP)/,
    );
    expect(result.durationMs).toBeLessThan(10_000);
  });

  test('is returned for headers that are too large', async () => {
    await using receiver = await startReceiver(respondWith(200, { 'x-long': 'x'.repeat(64 * 1_024) }));
    const error = 'the response headers are too large';
    expect(await poster().post(request(receiver.url))).toMatchObject({ status: null, error });
  });

  test('is returned when a name server never responds', async () => {
    const poster = createPoster({
      allowPrivateTargets: true,
      timeoutMs: 200,
      resolve: () => new Promise(() => {}),
    });
    onTestFinished(() => poster.close());
    expect(await poster.post(request('http://shop.example/'))).toMatchObject({
      status: null,
      error: 'timed out',
    });
  });

  test('of a new connection causes no second request', async () => {
    let requests = 0;
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => {
        requests++;
        socket.end();
      }),
    );
    expect(await poster().post(request(url))).toMatchObject({ status: null });
    expect(requests).toBe(1);
  });

  test('of a reused connection is no failure, because the request is sent again', async () => {
    let connections = 0;
    const url = await startRawServer(onTestFinished, (socket) => {
      connections++;
      let received = '';
      socket.on('data', (bytes) => {
        received += bytes;
        // Responds to the first request of a connection, and closes it at the second.
        if (received.split('POST').length > 2) socket.destroy();
        else if (received.endsWith('}')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const reused = poster();
    expect(await reused.post(request(url))).toMatchObject({ status: 200, error: null });
    expect(await reused.post(request(url))).toMatchObject({ status: 200, error: null });
    expect(connections).toBe(2);
  });
});

describe('where private targets are not allowed', () => {
  test.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0x7f.1',
    '2130706433',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '[fd00::1]',
  ])('sends nothing to %s', async (host) => {
    await expectRejected((port) => `http://${host}:${port}/`);
  });

  test('sends nothing to a host name that resolves to loopback', async () => {
    await expectRejected((port) => `http://localhost:${port}/`);
  });
});

test('a host name that resolves to loopback is called where private targets are allowed', async () => {
  await using receiver = await startReceiver();
  expect(await poster().post(request(`http://localhost:${receiver.port}/`))).toMatchObject({ status: 200 });
});

test.each([
  ['http://user:secret@127.0.0.1/', 'the URL contains credentials'],
  ['ftp://127.0.0.1/', 'the URL scheme is neither http nor https'],
  ['nowhere', 'the URL is invalid'],
])('the URL %s is rejected', async (url, error) => {
  expect(await poster().post(request(url))).toMatchObject({ status: null, error });
});

describe('HTTPS', () => {
  /** Trusted by this process until the test ends. */
  function trust(cert: string): void {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, cert]);
    onTestFinished(() => tls.setDefaultCACertificates(before));
  }

  test.skipIf(!hasOpenssl)('rejects a self-signed certificate (needs openssl)', async () => {
    await using receiver = await startReceiver(respondWith(200), { tls: createCertificate() });
    const result: PostResult = await poster().post(request(receiver.url));
    expect(result.status).toBeNull();
    expect(result.error).toBe('the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(receiver.requests).toHaveLength(0);
  });

  test.skipIf(!hasOpenssl)(
    'accepts a trusted certificate of the host, and rejects one of another host (needs openssl)',
    async () => {
      const [trustedCertificate, otherCertificate] = [
        createCertificate(),
        createCertificate('DNS:shop.example'),
      ];
      trust(trustedCertificate.cert);
      trust(otherCertificate.cert);
      await using right = await startReceiver(respondWith(200), { tls: trustedCertificate });
      await using wrong = await startReceiver(respondWith(200), { tls: otherCertificate });
      expect(await poster().post(request(right.url))).toMatchObject({ status: 200, error: null });
      expect(await poster().post(request(wrong.url))).toMatchObject({
        status: null,
        error: 'the certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
      });
      expect(wrong.requests).toHaveLength(0);
    },
  );

  test('times out when a receiver accepts the connection without a TLS handshake', async () => {
    const url = await startRawServer(onTestFinished, () => {});
    expect(await poster({ timeoutMs: 300 }).post(request(url.replace('http:', 'https:')))).toMatchObject({
      status: null,
      error: 'timed out',
    });
  });
});

describe('host names', () => {
  test('resolve to the IPv4 and IPv6 addresses of their name servers', async () => {
    const { resolveName, systemQueries } = await createTestResolver();
    expect(await resolveName('Shop.example')).toEqual(['127.0.0.1', '3ffe::dead']);
    expect(await resolveName('half.shop.example')).toEqual(['127.0.0.1']);
    expect(systemQueries).toEqual([]);
  });

  test('resolve by the hosts file first', async () => {
    const { resolveName } = await createTestResolver({
      hosts: '# ours\n10.0.0.7 shop.example counter # the shop\n::1\tCOUNTER\n\n',
    });
    expect(await resolveName('shop.example')).toEqual(['10.0.0.7']);
    expect(await resolveName('Counter')).toEqual(['10.0.0.7', '::1']);
  });

  test('resolve by the system when no name server knows them', async () => {
    const { resolveName, systemQueries } = await createTestResolver();
    expect(await resolveName('receiver')).toBe('ENOTFOUND');
    expect(systemQueries).toEqual(['receiver']);
    const { resolveName: resolveKnown } = await createTestResolver({
      system: async () => [{ address: '10.0.0.8', family: 4 }],
    });
    expect(await resolveKnown('receiver')).toEqual(['10.0.0.8']);
  });

  test('whose servers never respond do not delay others', async () => {
    await using receiver = await startReceiver();
    const { resolve, resolveName } = await createTestResolver();
    const dead = Array.from({ length: 40 }, (_, i) => resolveName(`dead-${i}.example`));
    const poster = createPoster({ allowPrivateTargets: true, resolve });
    onTestFinished(() => poster.close());
    const url = `http://shop.example:${receiver.port}/`;
    expect(await poster.post({ url, body: '{}', headers: {} })).toMatchObject({ status: 200, error: null });
    expect(await Promise.race([...dead, 'all are pending'])).toBe('all are pending');
  });

  test('whose servers never respond time out, without a query of the system', async () => {
    const { resolveName, systemQueries } = await createTestResolver({ queryMs: 100 });
    expect(await resolveName('dead.example')).toBe('ETIMEOUT');
    expect(systemQueries).toEqual([]);
  });
});

describe('targets', () => {
  const request = (url: string) => ({ url, body: '{}', headers: { 'webhook-id': 'ev_1' } });

  describe('a host name that changes its address', () => {
    test('to a private one is rejected at that attempt, because the connected address is checked', async () => {
      await using receiver = await startReceiver();
      const { poster, countQueries } = createPosterWith([nowhere, loopback]);
      const url = `http://shop.example:${receiver.port}/`;
      expect((await poster.post(request(url))).error).not.toBe(
        'the address is a private or loopback address',
      );
      expect(await poster.post(request(url))).toMatchObject({
        error: 'the address is a private or loopback address',
      });
      expect(countQueries()).toBe(2);
      expect(receiver.requests).toHaveLength(0);
    });

    test('is resolved once for each connection, so that no answer goes unchecked', async () => {
      await using receiver = await startReceiver();
      const { poster, countQueries } = createPosterWith([loopback, nowhere], {
        allowPrivateTargets: true,
      });
      expect(await poster.post(request(`http://shop.example:${receiver.port}/`))).toMatchObject({
        status: 200,
      });
      expect(countQueries()).toBe(1);
    });

    test('with a public and a private address is never called at the private one', async () => {
      await using receiver = await startReceiver();
      const privateAddresses = [...loopback, { address: '::1', family: 6 }];
      for (const addresses of [
        [...privateAddresses, ...nowhere],
        [...nowhere, ...privateAddresses],
      ]) {
        const { poster } = createPosterWith([addresses]);
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
    ['unusable on the public network', ['100::1', '5f00::1', '4000::1', 'fe80::1%lo']],
  ])('%s addresses', (_, addresses) => {
    test.each(addresses)('%s is rejected, in the URL and as the address of a host name', async (address) => {
      expect(isPrivateAddress(address)).toBe(true);
      const family = address.includes(':') ? 6 : 4;
      const { poster } = createPosterWith([[{ address, family }]]);
      const rejected = { status: null, error: 'the address is a private or loopback address' };
      expect(await poster.post(request('http://shop.example/'))).toMatchObject(rejected);
      if (address.includes('%')) return;
      expect(await poster.post(request(`http://${family === 6 ? `[${address}]` : address}/`))).toMatchObject(
        rejected,
      );
    });
  });
});

/** Starts a plain TCP server, which is closed on cleanup, and returns its URL. */
async function startRawServer(
  onCleanup: OnCleanup,
  onConnection: (socket: net.Socket) => void,
): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
