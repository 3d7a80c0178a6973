import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, codingOf } from './accept-encoding.ts';

/** What is sent as it is, or in a coding. */
export type CodedFile = { readonly body: Buffer } & { readonly [coding in Coding]: Buffer };

/** Sends a file in the best coding that the browser takes. */
export function sendCoded(request: FastifyRequest, reply: FastifyReply, file: CodedFile): FastifyReply {
  const coding = codingOf(request);
  if (coding) reply.header('content-encoding', coding);
  return reply
    .headers({ vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
    .send(file[coding ?? 'body']);
}
