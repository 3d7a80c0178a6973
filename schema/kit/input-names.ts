import type { DomainError, InputError } from '../../src/kit/errors.ts';

/** Fields whose paths the domain reports by their names in REST, with their names in this schema. */
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

/** The input errors, with the paths of the GraphQL input. */
export function toFieldErrors({ inputErrors }: DomainError): InputError[] {
  return inputErrors.map(({ path, message }) => ({ path: toInputPath(path), message }));
}

/** The message, which begins with the path of the first input error. */
export function toErrorMessage({ message, inputErrors: [first] }: DomainError): string {
  if (!first || !message.startsWith(`${first.path} `)) return message;
  return toInputPath(first.path) + message.slice(first.path.length);
}
