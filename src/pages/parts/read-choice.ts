import { parseEmail } from '../../kit/contact.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import { isMethodCode, type MethodCode } from '../../method/catalogue.ts';
import type { Reader } from '../reader.ts';
import type { ChooseInput } from './offer.ts';

/** The form as it was sent: what is in it, or what is wrong with it. */
type Choice = { choice: { method: MethodCode; email: string } } | { refused: ChooseInput };

/** Reads the method form. A session that has an e-mail already sends it like any other. */
export function readChoice({ strings }: Reader, form: Record<string, string>): Choice {
  const { method = '', email = '' } = form;
  const { choose } = strings;
  const methodFault = isMethodCode(method) ? undefined : choose.methodMissing;
  const emailFault = checkEmail(email, choose);
  if (isMethodCode(method) && emailFault === undefined) {
    return { choice: { method, email: parseEmail(email, '/email') } };
  }
  const faults = { ...(methodFault && { method: methodFault }), ...(emailFault && { email: emailFault }) };
  return { refused: { method, email, faults } };
}

/** Reads a form that asks for the method alone. */
export function readMethod(
  { strings }: Reader,
  { method = '' }: Record<string, string>,
): { method: MethodCode } | { refused: ChooseInput } {
  if (isMethodCode(method)) return { method };
  return { refused: { method: '', email: '', faults: { method: strings.choose.methodMissing } } };
}

function checkEmail(email: string, words: Reader['strings']['choose']): string | undefined {
  if (email.trim() === '') return words.emailMissing;
  try {
    parseEmail(email, '/email');
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return words.emailInvalid;
    throw error;
  }
}

/** Refusals that another choice may cure. */
const curable = new Set<ErrorCode>([
  'method_unavailable',
  'amount_out_of_range',
  'rate_unavailable',
  'rate_stale',
]);

/** The form once more, saying that the method cannot take the payment; undefined when no other choice would help. */
export function refusedChoice(
  { strings }: Reader,
  choice: { method: string; email: string },
  error: unknown,
): ChooseInput | undefined {
  if (!(error instanceof DomainError) || !curable.has(error.code)) return undefined;
  return { ...choice, faults: { method: strings.choose.refused } };
}
