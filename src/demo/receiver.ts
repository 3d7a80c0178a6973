import { createVerify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Context } from '../context.ts';
import { parseBasicCredentials } from '../http/basic-credentials.ts';
import { isSameText } from '../kit/secrets.ts';

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
const receiveOptions = { schema: { body: Body }, logLevel: 'warn' } as const;
/** Before the body is looked at, as any receiver does. */
const requireBasicAuth = async (request: FastifyRequest) => void parseBasicCredentials(request.headers);
type ReceivedNotification = { at: Date; kind: 'webhook' | 'callback'; verification: string; body: Body };

const arrivalsMax = 50;
/** So long one may wait for what is on its way. */
const waitMs = 10_000;
const timeoutExempt = { config: { timeoutExempt: () => true } };

/**
 * A receiver of the demo's own: takes webhooks and callbacks as a merchant's server would, checks their proof, and
 * shows what arrived at /demo; with `?charge=ch_…` what arrived for that charge, waiting until its completion has come
 * by webhook and by callback.
 */
export function demoReceiver(context: Context): FastifyPluginAsync {
  const receivedNotifications: ReceivedNotification[] = [];
  const emitter = new EventEmitter().setMaxListeners(0);
  const recordArrival = (notification: Omit<ReceivedNotification, 'at'>) => {
    receivedNotifications.unshift({ at: context.clock.now(), ...notification });
    receivedNotifications.length = Math.min(receivedNotifications.length, arrivalsMax);
    emitter.emit('arrival');
  };
  const abortController = new AbortController();
  const waitForBoth = async (chargeId: string): Promise<void> => {
    const signal = AbortSignal.any([abortController.signal, AbortSignal.timeout(waitMs)]);
    while (!signal.aborted && !hasBothNotifications(receivedNotifications, chargeId))
      await once(emitter, 'arrival', { signal }).catch(() => {});
  };
  return async (app: FastifyInstance) => {
    app.addHook('preClose', async () => abortController.abort());
    app.post<{ Body: Body }>(
      '/demo/webhook',
      { ...receiveOptions, preValidation: requireBasicAuth },
      async (request) => {
        recordArrival({
          kind: 'webhook',
          verification: await checkPassword(context, request),
          body: request.body,
        });
        return { received: true };
      },
    );
    app.post<{ Body: Body }>('/demo/callback', receiveOptions, async ({ body }) => {
      recordArrival({ kind: 'callback', verification: await checkSignature(context, body), body });
      return { received: true };
    });
    app.get<{ Querystring: { charge?: string } }>(
      '/demo',
      timeoutExempt,
      async ({ query: { charge } }, reply) => {
        if (charge) await waitForBoth(charge);
        const selected = charge
          ? receivedNotifications.filter(({ body }) => body.chargeId === charge)
          : receivedNotifications;
        return reply
          .type('text/plain; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(toText(selected));
      },
    );
  };
}

function hasBothNotifications(receivedNotifications: ReceivedNotification[], chargeId: string): boolean {
  const completions = receivedNotifications.filter(
    ({ body }) => body.chargeId === chargeId && body.message === 'CHARGE_COMPLETE',
  );
  return new Set(completions.map(({ kind }) => kind)).size === 2;
}

function toText(receivedNotifications: ReceivedNotification[]): string {
  if (receivedNotifications.length === 0)
    return 'Nothing received yet. Complete a charge, then reload this page.\n';
  return receivedNotifications
    .map(
      ({ at, kind, verification, body }) =>
        `${at.toISOString()}  ${kind}  (${verification})\n${JSON.stringify(body, null, 2)}\n`,
    )
    .join('\n');
}

/** What a merchant does with a webhook: the user name and password, against those it has configured. */
async function checkPassword(context: Context, request: FastifyRequest<{ Body: Body }>): Promise<string> {
  const { key, secret } = parseBasicCredentials(request.headers);
  const webhooks = await context.service.prisma.webhook.findMany({
    where: { merchantId: request.body.merchantId ?? '', username: key, deletedAt: null },
  });
  const { secrets } = context.service;
  const passwords = await Promise.all(
    webhooks.map(({ id, passwordEncrypted }) =>
      secrets.decrypt(passwordEncrypted, 'webhook.password_encrypted', id),
    ),
  );
  const isValid = passwords.some((password) => isSameText(password, secret));
  return isValid ? 'password verified' : 'WRONG PASSWORD';
}

/** What a merchant does with a callback: the signature over the payload, against the public key of the payload's mode. */
async function checkSignature(context: Context, body: Body): Promise<string> {
  const certificates = await context.service.prisma.certificate.findMany({
    where: { merchantId: body.merchantId ?? '', mode: body.payload.mode ?? 'live', revokedAt: null },
  });
  const payload = JSON.stringify(body.payload);
  const isValid = certificates.some(({ publicKey }) =>
    createVerify('RSA-SHA256')
      .update(payload)
      .verify(publicKey, body.signature ?? '', 'base64'),
  );
  return isValid ? 'signature verified' : 'WRONG SIGNATURE';
}
