import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDelivered, parseRetryAfter } from '../../src/notification/notification-state.ts';
import { createPoster } from '../../src/notification/post.ts';
import { fuzz, mutateBytes } from '../setup/fuzz.ts';

/** What a merchant's server, or whoever stands in its place, answers to a notification. */

const timeoutMs = 10_000;
const answerMax = 2_048;
const answers = new Map<string, Buffer>();
let server: net.Server;
let url: string;

beforeAll(async () => {
  server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      const path = /^POST (\S+)/.exec(bytes.toString('latin1'))?.[1] ?? '';
      socket.end(answers.get(path) ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
});
afterAll(() => void server.close());

const ok = 'HTTP/1.1 200 OK\r\n';
const samples = [
  `${ok}content-length: 6\r\n\r\nthanks`,
  `${ok}transfer-encoding: chunked\r\n\r\n6\r\nthanks\r\n0\r\n\r\n`,
  `${ok}connection: close\r\n\r\nthanks`,
  'HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  `${ok}content-encoding: gzip\r\ncontent-length: 20\r\n\r\n${'\u001f\u008b'.repeat(10)}`,
].map((text) => Buffer.from(text, 'latin1'));
const payloads = [
  'content-length: 99999999999999999999\r\n',
  'content-length: -1\r\n',
  'content-length: 5\r\ncontent-length: 6\r\n',
  'transfer-encoding: chunked\r\n',
  'transfer-encoding: gzip, chunked\r\n',
  'fffffffffffffffffff\r\n',
  'retry-after: -1\r\n',
  'retry-after: 99999999999999999999999999\r\n',
  'retry-after: Wed, 99 Zzz 9999 99:99:99 GMT\r\n',
  `${'x: y\r\n'.repeat(3_000)}`,
  `x: ${'y'.repeat(100_000)}\r\n`,
  'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000),
  'HTTP/9.9 000 \r\n',
  '\r\n\r\n',
  '\u0000',
  '\u00ff\u00fe',
  'z'.repeat(10_000),
  '<script>alert(1)</script>',
].map((text) => Buffer.from(text, 'latin1'));

test('an answer to a notification is taken for what it is, or for a failure in few words', async () => {
  const poster = createPoster({ allowPrivateWebhookUrls: true, timeoutMs });
  let posts = 0;
  let delivered = 0;
  await fuzz(
    fc.oneof(
      { weight: 9, arbitrary: mutateBytes(samples, payloads) },
      { weight: 1, arbitrary: fc.constantFrom(...samples) },
    ),
    async (bytes) => {
      const path = `/${posts++}`;
      answers.set(path, bytes);
      const result = await poster.post({ url: url + path, body: '{}', headers: {} });
      answers.delete(path);
      expect(result.status === null || (result.status >= 200 && result.status <= 999)).toBe(true);
      if (result.status === null) expect(result.error).toMatch(/^.{5,120}$/s);
      expect(Buffer.byteLength(result.answer ?? '')).toBeLessThanOrEqual(3 * answerMax);
      expect((result.answer ?? '').includes('\0')).toBe(false);
      expect((result.answer ?? '').isWellFormed()).toBe(true);
      const waitMs = parseRetryAfter(result.retryAfter ?? undefined, new Date());
      expect(waitMs === null || (Number.isFinite(waitMs) && waitMs >= 0)).toBe(true);
      if (isDelivered(result)) delivered += 1;
    },
    { parallel: 20 },
  );
  expect(delivered).toBeGreaterThan(50);
  poster.close();
}, 3_600_000);
