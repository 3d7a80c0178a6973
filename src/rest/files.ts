import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Context } from '../context.ts';
import { requirePermission } from '../domain/accounts/api-key/permissions.ts';
import { getStatementFile } from '../domain/money-in/statement/get-statement-file.ts';
import { readUpload } from '../domain/platform/upload/read-upload.ts';
import { storeUpload, uploadBytesMax } from '../domain/platform/upload/store-upload.ts';
import { rejectUnstorableUrl } from '../http/reject-unstorable-text.ts';
import { handleApiVersion } from '../http/version.ts';
import { DomainError, invalidInputError } from '../kit/errors.ts';
import { authenticateFileRequests } from './authenticate-files.ts';
import { setDeprecationHeaders } from './deprecations.ts';
import { registerExportFileRoute } from './exports.ts';
import { fileQuery, getMerchantScope, idParams } from './inputs.ts';
import type { TypedFastify } from './typed-fastify.ts';

/** Registers the streaming upload and download of files, for API keys and dashboard users. */
export function registerFileRoutes(app: FastifyInstance, context: Context): void {
  handleApiVersion(app);
  setDeprecationHeaders(app);
  authenticateFileRequests(app, context);
  // Passes the body of any Content-Type as a stream of bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  rejectUnstorableUrl(app);
  const scope: TypedFastify = app.withTypeProvider<TypeBoxTypeProvider>();
  registerUploadRoute(scope, context);
  registerStatementFileRoute(scope, context);
  registerExportFileRoute(scope, context);
}

function registerUploadRoute(app: TypedFastify, { service, clock }: Context): void {
  const schema = {
    summary: 'Upload a file',
    description:
      'Stores a bank statement file for 24 hours, so that it can be imported with `importStatement` (GraphQL). The body ' +
      'is the file, at most 256 MiB. Nothing is stored if the upload is interrupted. Requires the permission `transfers`.',
    tags: ['Statements'],
    querystring: Type.Object(
      {
        fileName: Type.Optional(
          Type.String({
            maxLength: 255,
            description: 'The name under which the file is shown. The default is `file`.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    response: {
      200: Type.Object(
        {
          uploadId: Type.String({
            description: 'The ID of the upload, `up_…`, which you pass to `importStatement` (GraphQL).',
          }),
          size: Type.Integer({ description: 'The number of bytes received.' }),
          sha256: Type.String({ description: 'The SHA-256 hash of the file, in hexadecimal.' }),
        },
        { title: 'Upload', description: 'An uploaded file.' },
      ),
    },
  };
  app.put(
    '/uploads',
    { schema, config: { acceptsFiles: true, isTimeoutExempt: () => true } },
    async (request) => {
      const { caller, query } = request;
      requirePermission(caller, 'transfers');
      if (Number(request.headers['content-length']) > uploadBytesMax) {
        throw new DomainError('payload_too_large', `A file must be at most ${uploadBytesMax >> 20} MiB`);
      }
      const { id, size, sha256 } = await storeUpload(service, {
        ...getMerchantScope(caller),
        fileName: query.fileName ?? 'file',
        actor: caller.actor,
        source: readBody(request),
        now: clock.now(),
      });
      return { uploadId: id, size: Number(size), sha256: sha256 as string };
    },
  );
}

/** Throws `invalid_request` if the body is empty, and `request_timeout` if the upload is interrupted. */
async function* readBody({ body }: FastifyRequest): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Readable)) throw invalidInputError('', 'must not be empty', 'The file');
  try {
    yield* body;
  } catch {
    throw new DomainError('request_timeout', 'The upload was interrupted');
  }
}

function registerStatementFileRoute(app: TypedFastify, { service }: Context): void {
  const binary = { type: 'string', format: 'binary' };
  const schema = {
    summary: 'Download the file of a statement',
    description: 'Returns the imported file unchanged. Requires the permission `transfers`.',
    tags: ['Statements'],
    params: idParams,
    querystring: fileQuery,
    response: { 200: { content: { 'application/octet-stream': { schema: binary } } } },
  };
  app.get('/statements/:id/file', { schema }, async (request, reply) => {
    const { caller, params } = request;
    requirePermission(caller, 'transfers');
    const upload = await getStatementFile(service, { ...getMerchantScope(caller), id: params.id });
    return reply
      .header('content-type', 'application/octet-stream')
      .header('content-length', String(upload.size))
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeRfc5987(upload.fileName)}`)
      .send(Readable.from(readUpload(service, upload)) as unknown as string);
  });
}

/** Also escapes the four characters that RFC 8187 does not allow but `encodeURIComponent` keeps. */
function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
