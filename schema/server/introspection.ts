import type { FastifyReply, FastifyRequest } from 'fastify';
import { executeSync, getIntrospectionQuery, parse } from 'graphql';
import { negotiateCoding } from '../../src/http/accept-encoding.ts';
import { limitDownload } from '../../src/http/limit-rate.ts';
import { type CompressedFile, compressFile, sendCompressed } from '../../src/http/send-compressed.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { schema } from '../schema.ts';

/** Selects everything that GraphiQL displays. */
const fullIntrospectionQuery = getIntrospectionQuery({
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** The results of common introspection documents, which are public. A result is cached when it is first requested. */
const resultCache = new Map<string, Promise<CompressedFile> | undefined>([
  [getIntrospectionQuery(), undefined],
  [fullIntrospectionQuery, undefined],
]);

/** Returns the cached result of a common introspection document; undefined for any other document. */
export function getIntrospectionResult(document: string): Promise<CompressedFile> | undefined {
  if (!resultCache.has(document)) return undefined;
  const file = resultCache.get(document) ?? executeIntrospection(document);
  resultCache.set(document, file);
  return file;
}

/** Returns the introspection result of the complete schema. */
export function getFullIntrospection(): Promise<CompressedFile> {
  return getIntrospectionResult(fullIntrospectionQuery)!;
}

function executeIntrospection(document: string): Promise<CompressedFile> {
  const result = executeSync({ schema, document: parse(document) });
  return compressFile(JSON.stringify(result));
}

/** Sends a cached result, whose size counts towards the rate limit. */
export function sendIntrospection(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, limiter }: { file: CompressedFile; limiter: RateLimiter | undefined },
): FastifyReply {
  limitDownload(limiter, { request, reply, bytes: file[negotiateCoding(request) ?? 'body'].length });
  return sendCompressed(request, reply.type('application/json; charset=utf-8'), file);
}
