import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/kit/log.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { fuzz, mutateBytes } from '../setup/fuzz.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

/** Bytes and frames as they come over the wire: whatever comes, it is no fault of ours, and others are served. */

let app: GraphqlApp;
let authorization: string;
const faults: string[] = [];

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, {
    log: createLogger('error', { write: (line) => void faults.push(line) }),
  });
  authorization = basicAuth(app.merchant.keys.live);
});
afterEach(async () => {
  expect(faults.splice(0).slice(0, 3)).toEqual([]);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});

/**
 * Sends bytes over a connection of its own, and each of what is later once the words before it have come back; then ends
 * it, or when the other side says goodbye. Gives all that comes back until the server ends it too.
 */
function exchange(bytes: Buffer, ...later: { after: string; send: Buffer }[]): Promise<string> {
  const { port } = app.app.server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
    let got = '';
    const sendNext = (send: Buffer) => {
      if (later.length === 0) socket.end(send);
      else socket.write(send);
    };
    socket.on('data', (chunk) => {
      got += chunk;
      if (got.includes(closeFrame)) socket.end();
      else if (later[0] && got.includes(later[0].after)) sendNext(later.shift()!.send);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
    sendNext(bytes);
  });
}

/** How a frame begins that says goodbye. */
const closeFrame = '\u0088';

test('bytes that are nearly HTTP', async () => {
  const head = `Host: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n`;
  const body = '{"email":"a@example.com","merchantAmount":5,"merchantCurrency":"HKD","method":"fps"}';
  const json = `${head}Content-Type: application/json\r\n`;
  const samples = [
    `GET /charges?limit=2 HTTP/1.1\r\n${head}\r\n`,
    `POST /charges HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n${body}`,
    `POST /charges HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `POST /graphql HTTP/1.1\r\n${json}Content-Length: 21\r\n\r\n{"query":"{me{id}}"}  `,
    `GET /checkout?lang=th HTTP/1.1\r\n${head}Accept-Language: th\r\n\r\n`,
    `PUT /uploads?fileName=x HTTP/1.1\r\n${head}Content-Length: 3\r\n\r\nabc`,
  ].map((text) => Buffer.from(text));
  const payloads = [
    '\r\n',
    '\n',
    '\0',
    'Content-Length: 1\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: x\r\n',
    'Upgrade: h2c\r\n',
    'HTTP/2.0',
    'GET http://elsewhere.example/ HTTP/1.1\r\n',
    '//elsewhere.example',
    '%',
    '\t',
    ': ',
    'X: y\r\n'.repeat(200),
    'x'.repeat(20_000),
  ].map((text) => Buffer.from(text));
  await fuzz(
    mutateBytes(samples, payloads),
    async (bytes) => {
      const statuses = [...(await exchange(bytes)).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
        Number(status),
      );
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
    },
    { parallel: 20 },
  );
}, 3_600_000);

type Frame = {
  fin?: boolean;
  opcode?: number;
  payload: Buffer;
  isMasked?: boolean;
  rsv?: number;
  /** Of how many bytes it says it is. */
  claims?: number;
};

/** A frame of RFC 6455, whole, of text and masked as a client must, unless told. */
function frame({ fin = true, opcode = 1, payload, isMasked = true, rsv = 0, claims }: Frame): Buffer {
  const size = claims ?? payload.length;
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(BigInt(size));
  const length = size < 126 ? [size] : size < 65_536 ? [126, ...long.subarray(6)] : [127, ...long];
  length[0]! |= isMasked ? 128 : 0;
  const mask = Buffer.from(isMasked ? [1, 2, 3, 4] : []);
  const body = isMasked ? payload.map((byte, i) => byte ^ mask[i % 4]!) : payload;
  return Buffer.concat([Buffer.from([(fin ? 128 : 0) | rsv | opcode, ...length]), mask, body]);
}

test('frames of a WebSocket', async () => {
  const handshake = Buffer.from(
    'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  const init = { type: 'connection_init', payload: { authorization } };
  const ask = (query: string) => ({ type: 'subscribe', id: 'a', payload: { query } });
  const messages = [
    init,
    init,
    ask('{ me { id } }'),
    ask('subscription { chargesUpdated { id } }'),
    { type: 'ping' },
    { type: 'complete', id: 'a' },
    { type: 'next', id: 'a', payload: {} },
    { type: 'subscribe', id: '', payload: {} },
    { type: 'connection_init', payload: { authorization: [1] } },
    { type: {} },
    [],
    null,
  ].map((one) => Buffer.from(JSON.stringify(one)));
  const payload: fc.Arbitrary<Buffer> = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...messages) },
    {
      weight: 2,
      arbitrary: mutateBytes(messages, [
        Buffer.from('\0'),
        Buffer.from('{"__proto__":1}'),
        Buffer.from('[['.repeat(5_000)),
        Buffer.from([0xff, 0xc3, 0x28]),
      ]),
    },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(300_000, '{'), Buffer.alloc(200_000, '[')) },
  );
  const broken = fc
    .record(
      {
        fin: fc.boolean(),
        opcode: fc.constantFrom(0, 1, 1, 1, 2, 3, 8, 9, 10, 15),
        payload,
        isMasked: fc.boolean(),
        rsv: fc.constantFrom(0, 0, 0, 64, 16),
        claims: fc.constantFrom(1, 125, 5_000_000, 2 ** 31),
      },
      { requiredKeys: ['payload'] },
    )
    .map((one) => frame(one as Frame));
  const whole = payload.map((one) => frame({ payload: one }));
  const cases = fc.oneof(
    fc.record({ kind: fc.constant('whole'), frames: fc.array(whole, { maxLength: 5 }) }),
    fc.record({
      kind: fc.constantFrom('broken', 'stranger'),
      frames: fc.array(fc.oneof(whole, broken), { maxLength: 5 }),
    }),
  );
  const first = Buffer.concat([handshake, frame({ payload: messages[0]! })]);
  const end = Buffer.alloc(0);
  const last = frame({ payload: Buffer.from(JSON.stringify({ ...ask('{ me { id } }'), id: 'last' })) });
  // Whoever sends whole messages is answered what comes after them, or told goodbye; else nothing may ever come back.
  const talk = (kind: string, send: Buffer) => {
    if (kind === 'stranger') return exchange(Buffer.concat([handshake, send]));
    if (kind === 'broken') return exchange(first, { after: 'connection_ack', send });
    const followed = { after: 'connection_ack', send: Buffer.concat([send, last]) };
    return exchange(first, followed, { after: '"id":"last"', send: end });
  };
  let answered = 0;
  await fuzz(
    cases,
    async ({ kind, frames }) => {
      const got = await talk(kind, Buffer.concat(frames));
      expect(got.startsWith('HTTP/1.1 101 ')).toBe(true);
      expect(got).not.toMatch(/internal_error|Internal/);
      if (got.includes('"type":"next"')) answered += 1;
    },
    { parallel: 20, short: 150 },
  );
  expect(answered).toBeGreaterThan(count(5, 300));
}, 3_600_000);
