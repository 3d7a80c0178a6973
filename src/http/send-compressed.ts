import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentCoding, negotiateCoding } from './accept-encoding.ts';

/** A file in its original form and in each coding. */
export type CompressedFile = { readonly body: Buffer } & { readonly [coding in ContentCoding]: Buffer };

/** Higher levels take several times as long and save about one percent. */
const brotliQuality = 9;

/** Compresses a text once, for repeated responses. */
export async function compressFile(text: string): Promise<CompressedFile> {
  const body = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(body),
  ]);
  return { body, br, gzip: gzipped };
}

/** Returns a handler for a text that is produced and compressed on its first request. */
export function createCachedTextHandler(
  type: string,
  produce: () => string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let file: Promise<CompressedFile> | undefined;
  return async (request, reply) => {
    file ??= compressFile(produce());
    return sendCompressed(request, reply.type(type), await file);
  };
}

/** Sends a file in the best coding that the client accepts. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  file: CompressedFile,
): FastifyReply {
  const coding = negotiateCoding(request);
  if (coding) reply.header('content-encoding', coding);
  const vary = reply.getHeader('vary');
  return reply
    .headers({
      vary: vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding`,
      'x-content-type-options': 'nosniff',
    })
    .send(file[coding ?? 'body']);
}
