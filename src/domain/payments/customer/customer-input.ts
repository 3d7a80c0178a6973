import { parseEmail, parseInternationalPhone, parsePhone } from '../../../kit/contact.ts';
import { checkText } from '../../../kit/text.ts';

/**
 * Unvalidated data with which sessions and links prefill their forms. Both spellings of the names are
 * accepted.
 */
export type CustomerInput = {
  email?: string | null | undefined;
  phone?: { code: string; phone: string } | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
};

/** Validated details of a customer; the phone is in E.164. */
export type CustomerDetails = { email?: string; phone?: string; firstName?: string; lastName?: string };

const nameLengthMax = 100;

export function parseCustomer(
  input: CustomerInput | null | undefined,
  path = '/customer',
): CustomerDetails | undefined {
  if (!input) return undefined;
  const firstName = input.firstName ?? input.first_name;
  const lastName = input.lastName ?? input.last_name;
  return {
    ...(input.email != null && { email: parseEmail(input.email, `${path}/email`) }),
    ...(input.phone != null && { phone: parsePhone(input.phone, `${path}/phone`) }),
    ...(firstName != null && { firstName: checkText(firstName, `${path}/firstName`, nameLengthMax) }),
    ...(lastName != null && { lastName: checkText(lastName, `${path}/lastName`, nameLengthMax) }),
  };
}

/** Validates one field as a customer entered it. Throws `invalid_request` with the path of the field. */
export function parseCustomerField(name: keyof CustomerDetails, text: string): string {
  if (name === 'email') return parseEmail(text, '/email');
  if (name === 'phone') return parseInternationalPhone(text, '/phone');
  return checkText(text, `/${name}`, nameLengthMax);
}
