import type { FastifyReply, FastifyRequest } from 'fastify';
import { executeSync, getIntrospectionQuery, parse } from 'graphql';
import { codingOf } from '../../src/http/accept-encoding.ts';
import { limitDownload } from '../../src/http/limit-rate.ts';
import { type CodedFile, codeFile, sendCoded } from '../../src/http/send-coded.ts';
import type { RateLimiter } from '../../src/kit/rate-limiter.ts';
import { schema } from '../schema.ts';

/** All that GraphiQL shows. */
const completeDocument = getIntrospectionQuery({
  schemaDescription: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
});

/** The documents that are answered without credentials, each with its result once one was asked for. */
const prepared = new Map<string, Promise<CodedFile> | undefined>([
  [getIntrospectionQuery(), undefined],
  [completeDocument, undefined],
]);

/** The prepared result of an introspection document that tools send; undefined for every other document. */
export function introspectionOf(document: string): Promise<CodedFile> | undefined {
  if (!prepared.has(document)) return undefined;
  const file = prepared.get(document) ?? prepare(document);
  prepared.set(document, file);
  return file;
}

/** The whole schema as the result of an introspection. */
export function completeIntrospection(): Promise<CodedFile> {
  return introspectionOf(completeDocument)!;
}

function prepare(document: string): Promise<CodedFile> {
  const result = executeSync({ schema, document: parse(document) });
  return codeFile(JSON.stringify(result));
}

/** Sends a prepared result, which counts by its size. Error: `rate_limited`. */
export function sendIntrospection(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, limiter }: { file: CodedFile; limiter: RateLimiter | undefined },
): FastifyReply {
  limitDownload(limiter, { request, reply, bytes: file[codingOf(request) ?? 'body'].length });
  return sendCoded(request, reply.type('application/json; charset=utf-8'), file);
}
