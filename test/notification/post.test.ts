import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPoster } from '../../src/notification/post.ts';
import {
  drip,
  floodResponse,
  neverRespond,
  respondWith,
  startRawServer,
  startReceiver,
} from '../setup/receiver.ts';

function poster(options: { allowPrivateWebhookUrls?: boolean; timeoutMs?: number } = {}) {
  const made = createPoster({ allowPrivateWebhookUrls: true, ...options });
  onTestFinished(() => made.close());
  return made;
}

const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const request = (url: string) => ({ url, body: '{"a":"é"}', headers: { 'webhook-id': 'ev_1' } });

describe('a post', () => {
  test('sends the exact bytes with their length, and asks for no compression', async () => {
    await using receiver = await startReceiver(respondWith(201, {}, 'thanks'));
    const result = await poster().post(request(`${receiver.url}/hooks?shop=1`));
    expect(result).toMatchObject({ status: 201, error: null, answer: 'thanks', retryAfter: null });
    expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hooks?shop=1', body: '{"a":"é"}' });
    expect(receiver.requests[0]?.headers).toMatchObject({
      'webhook-id': 'ev_1',
      'content-length': '10',
      'accept-encoding': 'identity',
    });
  });

  test.each(['http://169.254.169.254/latest/meta-data/', 'file:///etc/passwd'])(
    'takes a redirect to %s for a failure like any other',
    async (location) => {
      await using receiver = await startReceiver(respondWith(302, { location }));
      expect(await poster().post(request(receiver.url))).toMatchObject({ status: 302, answer: '' });
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
      'hints before the answer',
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nthanks',
    ],
    ['an answer that ends with the connection', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nthanks'],
  ])('takes %s', async (_, answer) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.end(answer)),
    );
    expect(await poster().post(request(url))).toMatchObject({ status: 200, error: null, answer: 'thanks' });
  });

  test('gives up on a receiver that has not answered for 15 seconds', async () => {
    await using receiver = await startReceiver(neverRespond());
    const controller = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    onTestFinished(() => timeout.mockRestore());
    const sent = poster().post(request(receiver.url));
    await receiver.waitFor(({ length }) => length === 1);
    expect(timeout).toHaveBeenCalledWith(15_000);
    controller.abort(new DOMException('The operation timed out', 'TimeoutError'));
    expect(await sent).toMatchObject({ status: null, error: 'timed out', answer: null });
  });

  test('gives up on an answer that drips, counted from the start and not from the last byte', async () => {
    await using receiver = await startReceiver(drip());
    const result = await poster({ timeoutMs: 300 }).post(request(receiver.url));
    expect(result).toMatchObject({ status: 200, error: 'timed out' });
    expect(result.answer).toMatch(/^\.+$/);
    expect(result.durationMs).toBeGreaterThanOrEqual(300);
  });

  test('reads an answer to its end, also when the receiver closes the connection behind it', async () => {
    await using receiver = await startReceiver(respondWith(200, { connection: 'close' }, 'x'.repeat(2_048)));
    const results = await Promise.all(Array.from({ length: 50 }, () => poster().post(request(receiver.url))));
    for (const result of results) {
      expect(result).toMatchObject({ status: 200, error: null, answer: 'x'.repeat(2_048) });
    }
  });

  test('keeps 2 KiB of an answer without end, and cuts the rest', async () => {
    await using receiver = await startReceiver(floodResponse());
    const result = await poster().post(request(receiver.url));
    expect(result).toMatchObject({ status: 200, error: null, answer: 'x'.repeat(2_048) });
  });

  test('does not unpack a compressed answer, and keeps text that the database can store', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0, 0x41]).toString('latin1');
    await using receiver = await startReceiver((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes, 'latin1'),
    );
    const { answer } = await poster().post(request(receiver.url));
    expect(answer).toBe('\u001f\ufffd\ufffdA');
  });

  test('cuts an answer between characters', async () => {
    await using receiver = await startReceiver(respondWith(200, {}, `${'x'.repeat(2_047)}é`));
    expect((await poster().post(request(receiver.url))).answer).toBe('x'.repeat(2_047));
  });

  test('tells the Retry-After of the answer', async () => {
    await using receiver = await startReceiver(respondWith(503, { 'retry-after': '90' }));
    expect(await poster().post(request(receiver.url))).toMatchObject({ status: 503, retryAfter: '90' });
  });
});

describe('a fault of the network is a result', () => {
  test('nobody listens', async () => {
    const receiver = await startReceiver();
    await receiver.stop();
    expect(await poster().post(request(receiver.url))).toMatchObject({
      status: null,
      error: 'the connection was refused',
    });
  });

  test('the host name could not be resolved', async () => {
    expect(await poster().post(request('http://nobody.invalid/'))).toMatchObject({
      status: null,
      error: 'the host name could not be resolved',
    });
  });

  test.each([
    ['closes without an answer', '', 'connection closed before the response was complete', null],
    [
      'closes within its answer',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal',
      'connection closed before the response was complete',
      200,
    ],
    ['speaks no HTTP', 'SSH-2.0-x\r\n', 'the response is not valid HTTP', null],
  ])('the receiver %s', async (_, answer, error, status) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.end(answer)),
    );
    expect(await poster({ timeoutMs: 20_000 }).post(request(url))).toMatchObject({ status, error });
  });

  test.each([
    ['resets the connection after its headers', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 200],
    ['resets the connection before its headers', '', null],
  ])('the receiver %s', async (_, answer, status) => {
    const url = await startRawServer(onTestFinished, (socket) =>
      socket.once('data', () => socket.write(answer || '\r', () => socket.resetAndDestroy())),
    );
    const result = await poster({ timeoutMs: 20_000 }).post(request(url));
    expect(result).toMatchObject({ status, error: expect.any(String) });
  });

  test.each([
    ['headers without end, one after the other', 'HTTP/1.1 200 OK\r\n', 'x-more: header\r\n'],
    ['answers of class 1xx without end', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'],
    ['a body in chunks of nothing but their extensions', chunkedHead, `1;${'x'.repeat(4_000)}\r\n`],
  ])('%s end with the time at the latest', async (_, head, again) => {
    const url = await startRawServer(onTestFinished, (socket) => {
      socket.once('data', () => {
        socket.write(head);
        const timer = setInterval(() => socket.write(again.repeat(20)), 1);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const result = await poster({ timeoutMs: 1_000 }).post(request(url));
    expect(result.error).toMatch(
      /^(timed out|the response headers are too large|the response is not valid HTTP)/,
    );
    expect(result.durationMs).toBeLessThan(10_000);
  });

  test('more headers than are read', async () => {
    await using receiver = await startReceiver(respondWith(200, { 'x-long': 'x'.repeat(64 * 1_024) }));
    const error = 'the response headers are too large';
    expect(await poster().post(request(receiver.url))).toMatchObject({ status: null, error });
  });

  test('a name server that never answers is given up', async () => {
    const kept = createPoster({
      allowPrivateWebhookUrls: true,
      timeoutMs: 200,
      resolve: () => new Promise(() => {}),
    });
    onTestFinished(() => kept.close());
    expect(await kept.post(request('http://shop.example/'))).toMatchObject({
      status: null,
      error: 'timed out',
    });
  });

  test('a new connection that the receiver closes without an answer gets the request once', async () => {
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

  test('a kept connection that the receiver has closed is no failure', async () => {
    let connections = 0;
    const url = await startRawServer(onTestFinished, (socket) => {
      connections++;
      let received = '';
      socket.on('data', (bytes) => {
        received += bytes;
        // Answers the first request on a connection, and cuts it at the second.
        if (received.split('POST').length > 2) socket.destroy();
        else if (received.endsWith('}')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const kept = poster();
    expect(await kept.post(request(url))).toMatchObject({ status: 200, error: null });
    expect(await kept.post(request(url))).toMatchObject({ status: 200, error: null });
    expect(connections).toBe(2);
  });
});

describe('where private targets are not allowed, nothing is sent to', () => {
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
  ])('%s', async (host) => {
    await expectRefused((port) => `http://${host}:${port}/`);
  });

  test('a host name that resolves to loopback', async () => {
    await expectRefused((port) => `http://localhost:${port}/`);
  });
});

async function expectRefused(url: (port: number) => string): Promise<void> {
  await using receiver = await startReceiver();
  const result = await poster({ allowPrivateWebhookUrls: false }).post(request(url(receiver.port)));
  expect(result).toMatchObject({ status: null, error: 'the address is a private or loopback address' });
  expect(receiver.requests).toHaveLength(0);
}

test('a host name that resolves to loopback is called where private targets are allowed', async () => {
  await using receiver = await startReceiver();
  expect(await poster().post(request(`http://localhost:${receiver.port}/`))).toMatchObject({ status: 200 });
});

test.each([
  ['http://user:secret@127.0.0.1/', 'the URL contains credentials'],
  ['ftp://127.0.0.1/', 'the URL scheme is neither http nor https'],
  ['nowhere', 'the URL is invalid'],
])('%s is refused', async (url, error) => {
  expect(await poster().post(request(url))).toMatchObject({ status: null, error });
});
