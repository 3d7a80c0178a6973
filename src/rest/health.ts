import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';

/** A database that takes longer than this is not ready for work. */
const readyMs = 2_000;

/** `/healthz`: the process answers. `/readyz`: it can do work, which takes the database. Yes or no, no details. */
export function healthRoutes(app: FastifyInstance, { service }: Context): void {
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => answer(reply, true));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) =>
    answer(reply, await answers(service)),
  );
}

function answer(reply: FastifyReply, ok: boolean): FastifyReply {
  return reply
    .code(ok ? 200 : 503)
    .header('cache-control', 'no-store')
    .send({ ok });
}

async function answers({ pool }: Context['service']): Promise<boolean> {
  const question = pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), readyMs);
  });
  return Promise.race([question, tooLate]).finally(() => clearTimeout(timer));
}
