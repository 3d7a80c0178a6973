import { type DomainError, type ErrorCode, errorCatalog, type InputError } from '../src/kit/errors.ts';
import { builder } from './kit/builder.ts';
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  UnprocessableError,
} from './kit/error-types.ts';
import { toErrorMessage, toFieldErrors } from './kit/input-names.ts';
import { lowerFirstWord } from './kit/lower-first-word.ts';

const codes = Object.entries(errorCatalog) as [ErrorCode, { title: string }][];

/** Turns titles such as `Charge not found` into sentences. */
function toSentence(title: string): string {
  const [, object] = /^(.+) not found$/.exec(title) ?? [];
  return object === undefined ? `${title}.` : `The ${lowerFirstWord(object)} was not found.`;
}

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'A machine-readable error code. The codes are stable and the same in REST. New codes may be added, so handle an unknown code by the type of the error.',
  values: Object.fromEntries(
    codes.map(([code, { title }]) => [code, { description: toSentence(title) }]),
  ) as Record<ErrorCode, { description: string }>,
});

const ErrorInterface = builder.interfaceRef<DomainError>('UserError').implement({
  description:
    'An error that an operation returns. Every result union includes all types that implement this interface, so a new code never changes a union.',
  fields: (t) => ({
    code: t.expose('code', {
      type: ErrorCodeEnum,
      description: 'The machine-readable error code. Your error handling should depend on this code.',
    }),
    message: t.string({
      description: 'A human-readable explanation of the error. Its wording may change.',
      resolve: toErrorMessage,
    }),
  }),
});

const FieldErrorType = builder.objectRef<InputError>('FieldError').implement({
  description: 'A problem with the input.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description:
        'A JSON pointer to the invalid part of the input, such as `/orders/0/quantity`. Empty if the problem concerns the input as a whole.',
    }),
    message: t.exposeString('message', { description: 'The rule that the value at this path must satisfy.' }),
  }),
});

builder.objectType(InvalidRequestError, {
  name: 'InvalidRequestError',
  interfaces: [ErrorInterface],
  description: 'The input is malformed or violates a validation rule (HTTP 400 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [FieldErrorType],
      description: 'The problems with the input, each with its path.',
      resolve: toFieldErrors,
    }),
  }),
});

builder.objectType(PermissionError, {
  name: 'PermissionError',
  interfaces: [ErrorInterface],
  description: 'The credentials do not permit the operation (HTTP 403 in REST).',
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  interfaces: [ErrorInterface],
  description:
    'The object does not exist, or it belongs to another merchant or to the other mode (HTTP 404 in REST).',
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  interfaces: [ErrorInterface],
  description: 'The current state of the object does not allow the operation (HTTP 409 in REST).',
});

builder.objectType(UnprocessableError, {
  name: 'UnprocessableError',
  interfaces: [ErrorInterface],
  description: 'The input is well-formed, but the operation cannot be carried out (HTTP 422 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [FieldErrorType],
      description:
        'The problems with individual parts of the input, each with its path. Empty if the error does not concern individual parts.',
      resolve: toFieldErrors,
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  interfaces: [ErrorInterface],
  description: 'A rate limit was exceeded. Retry later (HTTP 429 in REST).',
  fields: (t) => ({
    retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
      nullable: true,
      description: 'The number of seconds to wait before a retry. Null if it is not known.',
    }),
  }),
});
