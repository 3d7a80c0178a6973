import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createAccessLog, createLazyChildLogger } from '../../src/http/log-requests.ts';
import { createLogger } from '../../src/kit/log.ts';

test('a request is told in one line, unless its route tells less: then only what failed', async () => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = Fastify({
    loggerInstance: createLogger('info', stream),
    logController: createAccessLog(),
    childLoggerFactory: createLazyChildLogger,
  });
  app.get('/told', async () => 'ok');
  app.get('/quiet', { logLevel: 'warn' }, async () => 'ok');
  app.get('/broken', { logLevel: 'warn' }, async (_request, reply) => {
    reply.hijack();
    reply.raw.emit('error', new Error('broken off'));
  });
  for (const url of ['/told', '/quiet']) await app.inject(url);
  await app.inject('/broken').catch(() => {});
  await app.close();
  const said = lines.map((line) => JSON.parse(line) as { msg: string; req: { path: string } });
  expect(said.map(({ msg, req }) => [msg, req.path])).toEqual([
    ['request completed', '/told'],
    ['request errored', '/broken'],
  ]);
});
