import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';

export const CustomerType = builder.prismaNode('Customer', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'One of your customers in this mode, identified by email address or, without one, by phone number.',
  fields: (t) => ({
    email: t.exposeString('email', {
      nullable: true,
      description: 'The customer’s email address, in lower case.',
    }),
    phone: t.exposeString('phone', {
      nullable: true,
      description: 'The customer’s phone number in E.164 format, such as `+85251234567`.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the customer was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time at which the customer was last updated.',
    }),
  }),
});

export const CustomerDetailsType = builder.objectRef<CustomerDetails>('CustomerDetails').implement({
  description: 'The details that prefill the customer’s page.',
  fields: (t) => ({
    email: t.string({
      nullable: true,
      description: 'The customer’s email address.',
      resolve: (details) => details.email,
    }),
    phone: t.string({
      nullable: true,
      description: 'The customer’s phone number in E.164 format, such as `+85251234567`.',
      resolve: (details) => details.phone,
    }),
    firstName: t.string({
      nullable: true,
      description: 'The customer’s first name.',
      resolve: (details) => details.firstName,
    }),
    lastName: t.string({
      nullable: true,
      description: 'The customer’s last name.',
      resolve: (details) => details.lastName,
    }),
  }),
});

export const PhoneInput = builder.inputType('PhoneInput', {
  description: 'A phone number, split into calling code and national number.',
  fields: (t) => ({
    code: t.string({
      required: true,
      description: 'The country calling code with a leading plus sign, such as `+852`.',
    }),
    phone: t.string({ required: true, description: 'The national number.' }),
  }),
});

export const CustomerInput = builder.inputType('CustomerInput', {
  description: 'The details that prefill the customer’s page.',
  fields: (t) => ({
    email: t.string({ description: 'The customer’s email address.' }),
    phone: t.field({ type: PhoneInput, description: 'The customer’s phone number.' }),
    firstName: t.string({ description: 'The customer’s first name, at most 100 characters.' }),
    lastName: t.string({ description: 'The customer’s last name, at most 100 characters.' }),
  }),
});
