import type { TObject, TSchema } from 'typebox';
import type { MethodCode } from './catalog.ts';
import { getScheme } from './schemes.ts';

/** A member of a receiving account's details, described for the API, the docs and forms. */
export type DetailsMember = {
  name: string;
  description: string;
  example: string;
  isRequired: boolean;
  /** Whether the member holds the content of a payment code, which has hundreds of characters. */
  isCode: boolean;
};

/** One of the alternative forms of a method's account details. */
export type DetailsForm = { description: string; members: DetailsMember[] };

/** Only members with the content of a payment code allow texts of this length. */
const codeLength = 500;

/** Returns the alternative forms of a method's details. A receiving account fills in exactly one. */
export function listDetailsForms(method: MethodCode): DetailsForm[] {
  const schema: TSchema & { anyOf?: TObject[] } = getScheme(method).detailsSchema;
  return (schema.anyOf ?? [schema as TObject]).map(toForm);
}

function toForm(form: TObject): DetailsForm {
  const { description = '', properties, required = [] } = form as TObject & { description?: string };
  const members = Object.entries(properties).map(([name, member]) => toMember(name, member, required));
  return { description, members };
}

type TextSchema = TSchema & { description?: string; examples?: string[]; maxLength?: number };

function toMember(name: string, schema: TSchema, required: readonly string[]): DetailsMember {
  const { description = '', examples = [], maxLength = 0 } = schema as TextSchema;
  return {
    name,
    description,
    example: examples[0] ?? '',
    isRequired: required.includes(name),
    isCode: maxLength >= codeLength,
  };
}

/** Returns the members of all forms of the method, without duplicates. */
export function listDetailsMembers(method: MethodCode): DetailsMember[] {
  const members = listDetailsForms(method).flatMap((form) => form.members);
  return [...new Map(members.toReversed().map((member) => [member.name, member])).values()].toReversed();
}
