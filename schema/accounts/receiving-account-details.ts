import type { Bank } from '../../src/method/banks.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import {
  type DetailsForm,
  type DetailsMember,
  listDetailsForms,
  listDetailsMembers,
} from '../../src/method/details-forms.ts';
import { getScheme, type ReceivingDetails } from '../../src/method/schemes.ts';
import { builder } from '../kit/builder.ts';
import { lowerFirstWord } from '../kit/lower-first-word.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';

/** Returns the input member of a method, for example `hkBankTransfer`. */
function toFieldName(code: MethodCode): string {
  return code.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const listFormat = new Intl.ListFormat('en-GB');
const methodsByMember = new Map(methodCodes.map((code) => [toFieldName(code), code]));

function createDetailsInput(code: MethodCode) {
  const name = toFieldName(code).replace(/^\w/, (letter) => letter.toUpperCase());
  return builder.inputType(`${name}DetailsInput`, {
    description: `The details of a receiving account for ${paymentMethods[code].name}. ${describeForms(listDetailsForms(code))}`,
    fields: (t) =>
      Object.fromEntries(
        listDetailsMembers(code).map((member) => [member.name, t.string({ description: describe(member) })]),
      ),
  });
}

function describeForms(forms: DetailsForm[]): string {
  const choices = forms.map(describeForm);
  if (choices.length === 1) return `Provide ${choices[0]}.`;
  if (choices.length === 2) return `Provide either ${choices.join(', or ')}.`;
  return `Provide one of these: ${choices.slice(0, -1).join('; ')}; or ${choices.at(-1)}.`;
}

function describeForm({ description, members }: DetailsForm): string {
  const { required = [], optional = [] } = Object.groupBy(members, ({ isRequired }) =>
    isRequired ? 'required' : 'optional',
  );
  const option = optional.length > 0 ? `, optionally with ${listNames(optional)}` : '';
  return `${listNames(required)}${option} (${lowerFirstWord(description)})`;
}

function listNames(members: DetailsMember[]): string {
  return listFormat.format(members.map(({ name }) => `\`${name}\``));
}

function describe({ description, example, isCode }: DetailsMember): string {
  const text = `The ${lowerFirstWord(description).replace(': ', ', ')}`;
  return isCode ? `${text}.` : `${text}, such as \`${example}\`.`;
}

/** The details for each scheme. The domain validates them and lists all errors. */
export const ReceivingAccountDetailsInput = builder.inputType('ReceivingAccountDetailsInput', {
  isOneOf: true,
  description:
    'The details that identify a receiving account. Provide exactly one field: the field of the payment method.',
  fields: (t) =>
    Object.fromEntries(
      methodCodes.map((code) => [
        toFieldName(code),
        t.field({
          type: createDetailsInput(code),
          description: `The details of an account for ${paymentMethods[code].name}.`,
        }),
      ]),
    ),
});

/**
 * Returns the selected method, its details without null members, and the JSON pointer of the details in the
 * input.
 */
export function readDetails(input: object): {
  method: MethodCode;
  details: Record<string, unknown>;
  detailsPath: string;
} {
  const [[member, values] = ['', {}]] = Object.entries(input);
  const method = methodsByMember.get(member);
  if (!method) throw new Error('a oneOf input has one of its members');
  const details = Object.fromEntries(Object.entries(values as object).filter(([, value]) => value != null));
  return { method, details, detailsPath: `/details/${member}` };
}

const FormBank = builder.objectRef<Bank>('ReceivingAccountFormBank').implement({
  description: 'A bank that a receiving account form offers.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'The code of the bank, which is the value of the field.' }),
    name: t.exposeString('name', {
      description: 'The name of the bank, as the apps of its country list it.',
    }),
  }),
});

const FormField = builder.objectRef<DetailsMember>('ReceivingAccountFormField').implement({
  description: 'A field of a receiving account form.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'The name of the field in the input object of the payment method, such as `bankCode`.',
    }),
    description: t.exposeString('description', {
      description: 'The label of the field in English, with its format, such as `Bank code: 3 digits`.',
    }),
    example: t.exposeString('example', { description: 'An example of a well-formed value.' }),
    isRequired: t.exposeBoolean('isRequired', {
      description: 'Whether a value must be provided for the field.',
    }),
    banks: t.field({
      type: [FormBank],
      description:
        'The banks from which to choose the value, sorted by name. Other codes are allowed. Empty if the value is not a bank code.',
      resolve: ({ banks }) => banks,
    }),
    isQrCode: t.exposeBoolean('isCode', {
      description: 'Whether the value is the content of a QR code, which is pasted rather than typed.',
    }),
  }),
});

const Form = builder.objectRef<DetailsForm & { method: MethodCode }>('ReceivingAccountForm').implement({
  description:
    'A form for the details of a receiving account. A payment method can have several forms to choose from.',
  fields: (t) => ({
    method: t.expose('method', {
      type: PaymentMethodCode,
      description: 'The payment method whose receiving accounts the form describes.',
    }),
    inputField: t.string({
      description: 'The name of the field of `ReceivingAccountDetailsInput` for the payment method.',
      resolve: ({ method }) => toFieldName(method),
    }),
    description: t.exposeString('description', {
      description:
        'The title of the form in English, such as `Payment by mobile number`. It distinguishes the forms of a payment method.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'The currency in which customers pay.',
      resolve: ({ method }) => paymentMethods[method].currency,
    }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country in which customers use the payment method.',
      resolve: ({ method }) => paymentMethods[method].country,
    }),
    methodName: t.string({
      description: 'The name of the payment method as customers know it.',
      resolve: ({ method }) => paymentMethods[method].name,
    }),
    mayLackReference: t.boolean({
      description:
        'Whether payments to such an account can arrive without a payment reference. They can then be matched by unique amounts, see `maxAmountOffset`.',
      resolve: mayLackReference,
    }),
    fields: t.field({
      type: [FormField],
      description: 'The fields of the form, in the order in which to show them.',
      resolve: ({ members }) => members,
    }),
  }),
});

/** A QR code may be unable to carry a reference. Of a VietQR code, only the account is used. */
function mayLackReference({ method, members }: DetailsForm & { method: MethodCode }): boolean {
  if (members.some(({ isCode }) => isCode)) return method !== 'viettel-pay';
  const details = Object.fromEntries(members.map(({ name, example }) => [name, example]));
  return !getScheme(method).canCarryReference(details as ReceivingDetails);
}

builder.queryField('receivingAccountForms', (t) =>
  t.field({
    type: [Form],
    nullable: true,
    description:
      'Returns the forms for the details of a receiving account, at least one for each payment method.',
    resolve: () =>
      methodCodes.flatMap((method) => listDetailsForms(method).map((form) => ({ ...form, method }))),
  }),
);
