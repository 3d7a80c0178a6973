import { createVerify } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { readBasic } from '../rest/authenticate.ts';

type Arrival = { at: Date; kind: 'webhook' | 'callback'; proof: string; body: unknown };

const arrivalsMax = 50;

/**
 * A receiver of the demo's own: takes webhooks and callbacks as a merchant's server would, checks their proof, and
 * shows what arrived at /demo.
 */
export function demoReceiver(context: Context): FastifyPluginAsync {
  const arrivals: Arrival[] = [];
  const keep = (arrival: Omit<Arrival, 'at'>) => {
    arrivals.unshift({ at: context.clock.now(), ...arrival });
    arrivals.length = Math.min(arrivals.length, arrivalsMax);
  };
  return async (app: FastifyInstance) => {
    app.removeContentTypeParser('application/json');
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    app.post('/demo/webhook', async (request) => {
      keep({ kind: 'webhook', proof: `Basic auth of ${basicUser(request)}`, body: parse(request) });
      return { received: true };
    });
    app.post('/demo/callback', async (request) => {
      const body = parse(request);
      keep({ kind: 'callback', proof: await checkSignature(context, body), body });
      return { received: true };
    });
    app.get('/demo/arrivals', async () => arrivals);
    app.get('/demo', async (_request, reply) => {
      const lines = arrivals.map(({ at, kind, proof, body }) =>
        [`${at.toISOString()}  ${kind}  (${proof})`, JSON.stringify(body, null, 2)].join('\n'),
      );
      const text =
        lines.length === 0 ? 'Nothing has arrived yet. Complete a charge, then reload.' : lines.join('\n\n');
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send(text);
    });
  };
}

type Body = { merchantId?: string; payload?: unknown; signature?: string };

function parse(request: FastifyRequest): Body {
  return JSON.parse(request.body as string) as Body;
}

function basicUser(request: FastifyRequest): string {
  return readBasic(request).key;
}

/** What a merchant does with a callback: the signature over the payload, against the certificate's public key. */
async function checkSignature(context: Context, body: Body): Promise<string> {
  const certificates = await context.service.prisma.certificate.findMany({
    where: { merchantId: body.merchantId ?? '', revokedAt: null },
  });
  const payload = JSON.stringify(body.payload);
  const isGood = certificates.some(({ publicKey }) =>
    createVerify('RSA-SHA256')
      .update(payload)
      .verify(publicKey, body.signature ?? '', 'base64'),
  );
  return isGood ? 'signature verified' : 'SIGNATURE WRONG';
}
