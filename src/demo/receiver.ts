import { createVerify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Context } from '../context.ts';
import { parseBasicCredentials } from '../http/basic-credentials.ts';
import { isSameText } from '../kit/secrets.ts';

/** The members of the body that the receiver reads. */
const DemoNotification = Type.Object({
  merchantId: Type.Optional(Type.String({ pattern: '^mer_\\w+$' })),
  chargeId: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  payload: Type.Object({ mode: Type.Optional(Type.Union([Type.Literal('live'), Type.Literal('sandbox')])) }),
  signature: Type.Optional(Type.String()),
});
type DemoNotification = Static<typeof DemoNotification>;
/** Logs only warnings, because demo deliveries would otherwise dominate the log. */
const receiveOptions = { schema: { body: DemoNotification }, logLevel: 'warn' } as const;
/** Requires credentials before the body is validated, as most receivers do. */
const requireBasicAuth = async (request: FastifyRequest) => void parseBasicCredentials(request.headers);
type RecordedNotification = {
  receivedAt: Date;
  kind: 'webhook' | 'callback';
  verification: string;
  body: DemoNotification;
};

const notificationsMax = 50;
/** The maximum time to wait for the two notifications of a completed charge. */
const waitMs = 10_000;
const isTimeoutExempt = { config: { isTimeoutExempt: () => true } };

/**
 * A demo receiver for webhooks and callbacks that verifies them like a merchant's server. /demo shows the notifications
 * received. With `?charge=ch_…` it shows that charge's notifications, after waiting for its completion by
 * webhook and by callback.
 */
export function demoReceiver(context: Context): FastifyPluginAsync {
  const receivedNotifications: RecordedNotification[] = [];
  const emitter = new EventEmitter().setMaxListeners(0);
  const recordNotification = (notification: Omit<RecordedNotification, 'receivedAt'>) => {
    receivedNotifications.unshift({ receivedAt: context.clock.now(), ...notification });
    receivedNotifications.length = Math.min(receivedNotifications.length, notificationsMax);
    emitter.emit('notification');
  };
  const abortController = new AbortController();
  const waitForBoth = async (chargeId: string): Promise<void> => {
    const signal = AbortSignal.any([abortController.signal, AbortSignal.timeout(waitMs)]);
    while (!signal.aborted && !hasBothNotifications(receivedNotifications, chargeId))
      await once(emitter, 'notification', { signal }).catch(() => {});
  };
  return async (app: FastifyInstance) => {
    app.addHook('preClose', async () => abortController.abort());
    app.post<{ Body: DemoNotification }>(
      '/demo/webhook',
      { ...receiveOptions, preValidation: requireBasicAuth },
      async (request) => {
        recordNotification({
          kind: 'webhook',
          verification: await checkPassword(context, request),
          body: request.body,
        });
        return { received: true };
      },
    );
    app.post<{ Body: DemoNotification }>('/demo/callback', receiveOptions, async ({ body }) => {
      recordNotification({ kind: 'callback', verification: await checkSignature(context, body), body });
      return { received: true };
    });
    app.get<{ Querystring: { charge?: string } }>(
      '/demo',
      isTimeoutExempt,
      async ({ query: { charge } }, reply) => {
        if (charge) await waitForBoth(charge);
        const selectedNotifications = charge
          ? receivedNotifications.filter(({ body }) => body.chargeId === charge)
          : receivedNotifications;
        return reply
          .type('text/plain; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(toText(selectedNotifications));
      },
    );
  };
}

function hasBothNotifications(receivedNotifications: RecordedNotification[], chargeId: string): boolean {
  const completions = receivedNotifications.filter(
    ({ body }) => body.chargeId === chargeId && body.message === 'CHARGE_COMPLETE',
  );
  return new Set(completions.map(({ kind }) => kind)).size === 2;
}

function toText(receivedNotifications: RecordedNotification[]): string {
  if (receivedNotifications.length === 0)
    return 'Nothing received yet. Complete a charge, then reload this page.\n';
  return receivedNotifications
    .map(
      ({ receivedAt, kind, verification, body }) =>
        `${receivedAt.toISOString()}  ${kind}  (${verification})\n${JSON.stringify(body, null, 2)}\n`,
    )
    .join('\n');
}

/** Verifies a webhook as a merchant would, by its username and password. */
async function checkPassword(
  context: Context,
  request: FastifyRequest<{ Body: DemoNotification }>,
): Promise<string> {
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

/** Verifies a callback as a merchant would: the payload's signature with the public key of the payload's mode. */
async function checkSignature(context: Context, body: DemoNotification): Promise<string> {
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
