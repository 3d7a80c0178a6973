import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  createHostResolver,
  type ResolveHost,
  type ResolveHostOptions,
} from '../../src/notification/guarded-lookup.ts';
import { createPoster } from '../../src/notification/post.ts';
import { startReceiver } from '../setup/receiver.ts';
import { createTempDir } from '../setup/temp-dir.ts';

const typeA = 1;
const typeAaaa = 28;
const nameError = 3;

type Answers = (name: string, type: number) => string[] | 'unknown' | 'none in time';

/** A name server (RFC 1035) for one question at a time. */
async function startNameServer(answers: Answers): Promise<string> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const answer = answers(name, type);
    if (answer === 'none in time') return;
    const records = answer === 'unknown' ? [] : answer.map((text) => record(text, type));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (answer === 'unknown' ? nameError : 0), 2);
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
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name in question, for no time. */
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

const shop: Answers = (name, type) => {
  if (name.startsWith('dead')) return 'none in time';
  if (name.startsWith('half') && type === typeAaaa) return 'none in time';
  if (!name.endsWith('shop.example')) return 'unknown';
  return type === typeA ? ['127.0.0.1'] : ['3ffe:0:0:0:0:0:0:dead'];
};

/** Resolves as an installation does, with a name server and a hosts file of the test's own. */
async function resolver(options: ResolveHostOptions & { hosts?: string } = {}) {
  const hostsFile = join(await createTempDir(onTestFinished), 'hosts');
  if (options.hosts !== undefined) writeFileSync(hostsFile, options.hosts);
  const left: string[] = [];
  const system: ResolveHost = async (hostname) => {
    left.push(hostname);
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  };
  const servers = [await startNameServer(shop)];
  const resolve = createHostResolver({ servers, hostsFile, system, ...options });
  const ask = (hostname: string) =>
    resolve(hostname).then(
      (addresses) => addresses.map(({ address }) => address),
      ({ code }) => code as string,
    );
  return { resolve, ask, left };
}

test('a name has the addresses that its name servers know, of both kinds', async () => {
  const { ask, left } = await resolver();
  expect(await ask('Shop.example')).toEqual(['127.0.0.1', '3ffe::dead']);
  expect(await ask('half.shop.example')).toEqual(['127.0.0.1']);
  expect(left).toEqual([]);
});

test('what stands in the hosts file comes first', async () => {
  const { ask } = await resolver({ hosts: '# ours\n10.0.0.7 shop.example till # the shop\n::1\tTILL\n\n' });
  expect(await ask('shop.example')).toEqual(['10.0.0.7']);
  expect(await ask('Till')).toEqual(['10.0.0.7', '::1']);
});

test('a name that no name server knows is resolved by the system', async () => {
  const { ask, left } = await resolver();
  expect(await ask('receiver')).toBe('ENOTFOUND');
  expect(left).toEqual(['receiver']);
  const { ask: askKnown } = await resolver({ system: async () => [{ address: '10.0.0.8', family: 4 }] });
  expect(await askKnown('receiver')).toEqual(['10.0.0.8']);
});

test('names whose servers never answer keep nobody waiting', async () => {
  await using receiver = await startReceiver();
  const { resolve, ask } = await resolver();
  const dead = Array.from({ length: 40 }, (_, i) => ask(`dead-${i}.example`));
  const poster = createPoster({ allowPrivateWebhookUrls: true, resolve });
  onTestFinished(() => poster.close());
  const url = `http://shop.example:${receiver.port}/`;
  expect(await poster.post({ url, body: '{}', headers: {} })).toMatchObject({ status: 200, error: null });
  expect(await Promise.race([...dead, 'all are still asked for'])).toBe('all are still asked for');
});

test('a name whose servers never answer is given up, and not left to the system', async () => {
  const { ask, left } = await resolver({ queryMs: 100 });
  expect(await ask('dead.example')).toBe('ETIMEOUT');
  expect(left).toEqual([]);
});
