import { type DomainError, type ErrorCode, errorCatalogue, type InputFault } from '../src/kit/errors.ts';
import { builder } from './kit/builder.ts';
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  UnprocessableError,
} from './kit/refusals.ts';

const codes = Object.entries(errorCatalogue) as [ErrorCode, { title: string }][];

const ErrorCodeEnum = builder.enumType('ErrorCode', {
  description:
    'Why something was refused. The codes are stable and shared with REST; the list may grow, so treat an unknown one by the type of the error.',
  values: Object.fromEntries(
    codes.map(([code, { title }]) => [code, { description: `${title}.` }]),
  ) as Record<ErrorCode, { description: string }>,
});

const ErrorInterface = builder.interfaceRef<DomainError>('Error').implement({
  description: 'A refusal. Every result union holds all of its types, so a new code never changes a union.',
  fields: (t) => ({
    code: t.expose('code', { type: ErrorCodeEnum, description: 'What to act on.' }),
    message: t.exposeString('message', { description: 'What to read: for people, and free to change.' }),
  }),
});

const InputFaultType = builder.objectRef<InputFault>('InputFault').implement({
  description: 'One fault in the input.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description: 'Where: a JSON pointer into the input, such as `/orders/0/quantity`; empty for the whole.',
    }),
    message: t.exposeString('message', { description: 'What must be true there.' }),
  }),
});

builder.objectType(InvalidRequestError, {
  name: 'InvalidRequestError',
  interfaces: [ErrorInterface],
  description: 'The input breaks a rule of form (HTTP 400 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [InputFaultType],
      description: 'Each fault and its place.',
      resolve: (error) => error.faults,
    }),
  }),
});

builder.objectType(PermissionError, {
  name: 'PermissionError',
  interfaces: [ErrorInterface],
  description: 'The credentials do not allow this (HTTP 403 in REST).',
});

builder.objectType(NotFoundError, {
  name: 'NotFoundError',
  interfaces: [ErrorInterface],
  description: 'There is no such object, or it is not yours, or of the other mode (HTTP 404 in REST).',
});

builder.objectType(ConflictError, {
  name: 'ConflictError',
  interfaces: [ErrorInterface],
  description: 'The object is not in a state that allows this (HTTP 409 in REST).',
});

builder.objectType(UnprocessableError, {
  name: 'UnprocessableError',
  interfaces: [ErrorInterface],
  description: 'The input is well-formed but cannot be carried out (HTTP 422 in REST).',
  fields: (t) => ({
    errors: t.field({
      type: [InputFaultType],
      description: 'Each fault and its place, where it lies in single places of the input; else none.',
      resolve: (error) => error.faults,
    }),
  }),
});

builder.objectType(RateLimitedError, {
  name: 'RateLimitedError',
  interfaces: [ErrorInterface],
  description: 'Too many requests; try again later (HTTP 429 in REST).',
  fields: (t) => ({
    retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
      nullable: true,
      description: 'After how many seconds it is worth trying again, where that is known.',
    }),
  }),
});
