import { createVerify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Context } from '../context.ts';
import { readBasic } from '../http/basic-credentials.ts';
import { sameText } from '../kit/secrets.ts';

/** What is looked at of a body; all of it is shown. */
const Body = Type.Object({
  merchantId: Type.Optional(Type.String({ pattern: '^mer_\\w+$' })),
  chargeId: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  payload: Type.Object({ mode: Type.Optional(Type.Union([Type.Literal('live'), Type.Literal('sandbox')])) }),
  signature: Type.Optional(Type.String()),
});
type Body = Static<typeof Body>;
/** Its own news is not told in the log: there is more of it than of anything else, at the first start. */
const arriving = { schema: { body: Body }, logLevel: 'warn' } as const;
/** Before the body is looked at, as any receiver does. */
const asksWho = async (request: FastifyRequest) => void readBasic(request.headers);
type Arrival = { at: Date; kind: 'webhook' | 'callback'; proof: string; body: Body };

const arrivalsMax = 50;
/** So long one may wait for what is on its way. */
const waitMs = 10_000;
const unhurried = { config: { unhurried: () => true } };

/**
 * A receiver of the demo's own: takes webhooks and callbacks as a merchant's server would, checks their proof, and
 * shows what arrived at /demo; with `?charge=ch_…` what arrived for that charge, waiting until its completion has come
 * by webhook and by callback.
 */
export function demoReceiver(context: Context): FastifyPluginAsync {
  const arrivals: Arrival[] = [];
  const news = new EventEmitter().setMaxListeners(0);
  const keep = (arrival: Omit<Arrival, 'at'>) => {
    arrivals.unshift({ at: context.clock.now(), ...arrival });
    arrivals.length = Math.min(arrivals.length, arrivalsMax);
    news.emit('arrival');
  };
  const closing = new AbortController();
  const bothCame = async (chargeId: string): Promise<void> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(waitMs)]);
    while (!signal.aborted && !isToldTwice(arrivals, chargeId))
      await once(news, 'arrival', { signal }).catch(() => {});
  };
  return async (app: FastifyInstance) => {
    app.addHook('preClose', async () => closing.abort());
    app.post<{ Body: Body }>('/demo/webhook', { ...arriving, preValidation: asksWho }, async (request) => {
      keep({ kind: 'webhook', proof: await checkPassword(context, request), body: request.body });
      return { received: true };
    });
    app.post<{ Body: Body }>('/demo/callback', arriving, async ({ body }) => {
      keep({ kind: 'callback', proof: await checkSignature(context, body), body });
      return { received: true };
    });
    app.get<{ Querystring: { charge?: string } }>(
      '/demo',
      unhurried,
      async ({ query: { charge } }, reply) => {
        if (charge) await bothCame(charge);
        const shown = charge ? arrivals.filter(({ body }) => body.chargeId === charge) : arrivals;
        return reply
          .type('text/plain; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(toText(shown));
      },
    );
  };
}

function isToldTwice(arrivals: Arrival[], chargeId: string): boolean {
  const told = arrivals.filter(
    ({ body }) => body.chargeId === chargeId && body.message === 'CHARGE_COMPLETE',
  );
  return new Set(told.map(({ kind }) => kind)).size === 2;
}

function toText(arrivals: Arrival[]): string {
  if (arrivals.length === 0) return 'Nothing received yet. Complete a charge, then reload this page.\n';
  return arrivals
    .map(
      ({ at, kind, proof, body }) =>
        `${at.toISOString()}  ${kind}  (${proof})\n${JSON.stringify(body, null, 2)}\n`,
    )
    .join('\n');
}

/** What a merchant does with a webhook: the user name and password, against those it has configured. */
async function checkPassword(context: Context, request: FastifyRequest<{ Body: Body }>): Promise<string> {
  const { key, secret } = readBasic(request.headers);
  const webhooks = await context.service.prisma.webhook.findMany({
    where: { merchantId: request.body.merchantId ?? '', username: key, deletedAt: null },
  });
  const { secrets } = context.service;
  const passwords = await Promise.all(
    webhooks.map(({ id, passwordEncrypted }) =>
      secrets.decrypt(passwordEncrypted, 'webhook.password_encrypted', id),
    ),
  );
  const isGood = passwords.some((password) => sameText(password, secret));
  return isGood ? 'password verified' : 'WRONG PASSWORD';
}

/** What a merchant does with a callback: the signature over the payload, against the public key of the payload's mode. */
async function checkSignature(context: Context, body: Body): Promise<string> {
  const certificates = await context.service.prisma.certificate.findMany({
    where: { merchantId: body.merchantId ?? '', mode: body.payload.mode ?? 'live', revokedAt: null },
  });
  const payload = JSON.stringify(body.payload);
  const isGood = certificates.some(({ publicKey }) =>
    createVerify('RSA-SHA256')
      .update(payload)
      .verify(publicKey, body.signature ?? '', 'base64'),
  );
  return isGood ? 'signature verified' : 'WRONG SIGNATURE';
}
