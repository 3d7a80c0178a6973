import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import {
  type DetailsForm,
  type DetailsMember,
  detailsForms,
  detailsMembers,
} from '../../src/method/details-forms.ts';
import { builder } from '../kit/builder.ts';
import { PaymentMethodCode } from '../payments/payment-method.ts';

/** The member that stands for a method: `hkBankTransfer`. */
function memberOf(code: MethodCode): string {
  return code.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const methodOf = new Map(methodCodes.map((code) => [memberOf(code), code]));

function detailsInputOf(code: MethodCode) {
  const name = memberOf(code).replace(/^\w/, (letter) => letter.toUpperCase());
  const forms = detailsForms(code).map(({ description, members }) => {
    const needed = members.filter(({ isRequired }) => isRequired).map((member) => `\`${member.name}\``);
    return `${description}: ${needed.join(', ')}.`;
  });
  const intro = forms.length > 1 ? 'One of these. ' : '';
  return builder.inputType(`${name}DetailsInput`, {
    description: `Where money by ${paymentMethods[code].name} is received. ${intro}${forms.join(' ')}`,
    fields: (t) =>
      Object.fromEntries(
        detailsMembers(code).map((member) => [member.name, t.string({ description: describe(member) })]),
      ),
  });
}

function describe({ description, example, isCode }: DetailsMember): string {
  return isCode ? `${description}.` : `${description}. Such as \`${example}\`.`;
}

/** What each scheme needs; its rules are checked by the domain, which names every fault. */
export const ReceivingAccountDetailsInput = builder.inputType('ReceivingAccountDetailsInput', {
  isOneOf: true,
  description: 'What the scheme of the payment method needs: exactly one member, that of the method.',
  fields: (t) =>
    Object.fromEntries(
      methodCodes.map((code) => [
        memberOf(code),
        t.field({ type: detailsInputOf(code), description: `By ${paymentMethods[code].name}.` }),
      ]),
    ),
});

/** The method that was meant, its details without members that are null, and where they stand in the input. */
export function readDetails(input: object): {
  method: MethodCode;
  details: Record<string, unknown>;
  detailsPath: string;
} {
  const [[member, given] = ['', {}]] = Object.entries(input);
  const method = methodOf.get(member);
  if (!method) throw new Error('a oneOf input has one of its members');
  const details = Object.fromEntries(Object.entries(given as object).filter(([, value]) => value != null));
  return { method, details, detailsPath: `/details/${member}` };
}

const FormMember = builder.objectRef<DetailsMember>('ReceivingAccountFormMember').implement({
  description: 'One thing to fill in.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name in the details.' }),
    description: t.exposeString('description', { description: 'What it is.' }),
    example: t.exposeString('example', { description: 'One that is well-formed.' }),
    required: t.exposeBoolean('isRequired', { description: 'Whether it cannot be left out.' }),
    isCode: t.exposeBoolean('isCode', {
      description: 'Whether it is the content of a QR code, which is pasted rather than typed.',
    }),
  }),
});

const Form = builder.objectRef<DetailsForm & { method: MethodCode }>('ReceivingAccountForm').implement({
  description: 'One way to give the account of a payment method.',
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethodCode, description: 'The payment method.' }),
    member: t.string({
      description: 'Its member of `ReceivingAccountDetailsInput`.',
      resolve: ({ method }) => memberOf(method),
    }),
    description: t.exposeString('description', { description: 'What kind of account it is.' }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'What customers pay in by the method.',
      resolve: ({ method }) => paymentMethods[method].currency,
    }),
    country: t.field({
      type: 'CountryCode',
      description: 'The country of the method.',
      resolve: ({ method }) => paymentMethods[method].country,
    }),
    methodName: t.string({
      description: 'What customers call the method.',
      resolve: ({ method }) => paymentMethods[method].name,
    }),
    members: t.field({
      type: [FormMember],
      description: 'What to fill in.',
      resolve: ({ members }) => members,
    }),
  }),
});

builder.queryField('receivingAccountForms', (t) =>
  t.field({
    type: [Form],
    description: 'What a receiving account of each payment method needs: the forms to choose from.',
    resolve: () => methodCodes.flatMap((method) => detailsForms(method).map((form) => ({ ...form, method }))),
  }),
);
