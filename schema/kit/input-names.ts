import type { DomainError, InputError } from '../../src/kit/errors.ts';

/** Paths that errors of the domain report by the field's name in REST, with the name in this schema. */
const inputNames: readonly (readonly [restPath: RegExp, name: string])[] = [
  [/^(\/orders\/\d+)\/id$/, '$1/orderId'],
  [/^\/paymentMethods\b.*/, '/methods'],
  [/^\/usesLimit$/, '/usageLimit'],
  [/^\/gracePeriod$/, '/gracePeriodDays'],
  [/^\/invoiceNotice$/, '/invoiceNoticeDays'],
  [/^\/holder$/, '/accountName'],
];

function toInputPath(path: string): string {
  for (const [restPath, name] of inputNames) if (restPath.test(path)) return path.replace(restPath, name);
  return path;
}

/** Returns the input errors of an error, with the paths of the GraphQL input. */
export function toFieldErrors({ inputErrors }: DomainError): InputError[] {
  return inputErrors.map(({ path, message }) => ({ path: toInputPath(path), message }));
}

/** Returns the message of an error. If it begins with the path of an input error, replaces that path. */
export function toErrorMessage({ message, inputErrors: [first] }: DomainError): string {
  if (!first || !message.startsWith(`${first.path} `)) return message;
  return toInputPath(first.path) + message.slice(first.path.length);
}
