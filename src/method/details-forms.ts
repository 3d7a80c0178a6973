import type { TObject, TSchema } from 'typebox';
import { type Bank, listBanks } from './banks.ts';
import { type MethodCode, paymentMethods } from './catalog.ts';
import { getScheme } from './schemes.ts';

/** A member of a receiving account's details, described for the API, the docs and forms. */
export type DetailsMember = {
  name: string;
  description: string;
  example: string;
  isRequired: boolean;
  /** Whether the member holds the content of a payment code, which has hundreds of characters. */
  isCode: boolean;
  /** The known banks of the country if the member is a bank code; otherwise empty. */
  banks: readonly Bank[];
};

/** One of the alternative forms of a method's account details. */
export type DetailsForm = { description: string; members: DetailsMember[] };

/** Only members with the content of a payment code allow texts of this length. */
const codeLength = 500;

/** Returns the alternative forms of a method's details. A receiving account fills in exactly one. */
export function listDetailsForms(method: MethodCode): DetailsForm[] {
  const schema: TSchema & { anyOf?: TObject[] } = getScheme(method).detailsSchema;
  const { country } = paymentMethods[method];
  return (schema.anyOf ?? [schema as TObject]).map((form) => toForm(form, listBanks(country)));
}

function toForm(form: TObject, banks: readonly Bank[]): DetailsForm {
  const { description = '', properties, required = [] } = form as TObject & { description?: string };
  const members = Object.entries(properties).map(([name, member]) =>
    toMember(name, member, { required, banks }),
  );
  return { description, members };
}

type TextSchema = TSchema & { description?: string; examples?: string[]; maxLength?: number };

/** The members that accept a code of `banks.ts` as their value. An IFSC only begins with one. */
const bankCodeMembers = ['bankCode', 'bin', 'bic'];

function toMember(
  name: string,
  schema: TSchema,
  { required, banks }: { required: readonly string[]; banks: readonly Bank[] },
): DetailsMember {
  const { description = '', examples = [], maxLength = 0 } = schema as TextSchema;
  return {
    name,
    description,
    example: examples[0] ?? '',
    isRequired: required.includes(name),
    isCode: maxLength >= codeLength,
    banks: bankCodeMembers.includes(name) ? banks : [],
  };
}

/** Returns the members of all forms of the method, without duplicates. */
export function listDetailsMembers(method: MethodCode): DetailsMember[] {
  const members = listDetailsForms(method).flatMap((form) => form.members);
  return [...new Map(members.toReversed().map((member) => [member.name, member])).values()].toReversed();
}
