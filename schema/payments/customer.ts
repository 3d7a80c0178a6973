import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { builder } from '../kit/builder.ts';
import { owned } from '../kit/graphql-context.ts';

export const CustomerType = builder.prismaNode('Customer', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...owned(context) }),
  description: 'A customer of yours in this mode: found again by e-mail, else by phone.',
  fields: (t) => ({
    email: t.exposeString('email', { nullable: true, description: 'The e-mail address, in lower case.' }),
    phone: t.exposeString('phone', {
      nullable: true,
      description: 'The phone number in E.164 form, such as `+85251234567`.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the customer first came.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When this last changed.' }),
  }),
});

export const CustomerDetailsType = builder.objectRef<CustomerDetails>('CustomerDetails').implement({
  description: 'Details with which the customer’s page is filled in beforehand.',
  fields: (t) => ({
    email: t.string({
      nullable: true,
      description: 'The e-mail address.',
      resolve: (details) => details.email,
    }),
    phone: t.string({
      nullable: true,
      description: 'The phone number in E.164 form, such as `+85251234567`.',
      resolve: (details) => details.phone,
    }),
    firstName: t.string({
      nullable: true,
      description: 'The first name.',
      resolve: (details) => details.firstName,
    }),
    lastName: t.string({
      nullable: true,
      description: 'The last name.',
      resolve: (details) => details.lastName,
    }),
  }),
});

export const PhoneInput = builder.inputType('PhoneInput', {
  description: 'A phone number in two parts.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'The country’s calling code with its plus sign, such as `+852`.',
    }),
    phone: t.string({ required: true, description: 'The national number.' }),
  }),
});

export const CustomerInput = builder.inputType('CustomerInput', {
  description: 'Details with which the customer’s page is filled in beforehand.',
  fields: (t) => ({
    email: t.string({ description: 'The e-mail address.' }),
    phone: t.field({ type: PhoneInput, description: 'The phone number.' }),
    firstName: t.string({ description: 'The first name, at most 100 characters.' }),
    lastName: t.string({ description: 'The last name, at most 100 characters.' }),
  }),
});
