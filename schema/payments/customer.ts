import type { CustomerDetails } from '../../src/domain/payments/customer/customer-input.ts';
import { builder } from '../kit/builder.ts';
import { getMerchantScope } from '../kit/graphql-context.ts';

export const CustomerType = builder.prismaNode('Customer', {
  id: { field: 'id' },
  nullable: true,
  findUnique: (id, context) => ({ id, ...getMerchantScope(context) }),
  description:
    'One of your customers. Each mode has its own customers. A customer is identified by email address or, if there is none, by phone number. A sale at the counter without either has a customer of its own.',
  fields: (t) => ({
    email: t.exposeString('email', {
      nullable: true,
      description: 'The customer’s email address, in lower case. Null if it is not known.',
    }),
    phone: t.exposeString('phone', {
      nullable: true,
      description:
        'The customer’s phone number in E.164 format, such as `+85251234567`. Null if it is not known.',
    }),
    firstName: t.exposeString('firstName', {
      nullable: true,
      description:
        'The first name from the customer’s latest charge or subscription. Null if it is not known.',
    }),
    lastName: t.exposeString('lastName', {
      nullable: true,
      description:
        'The last name from the customer’s latest charge or subscription. Null if it is not known.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'Your note about the customer. Null if there is none.',
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
  description: 'The details of a customer that were provided for a session or a link.',
  fields: (t) => ({
    email: t.string({
      nullable: true,
      description: 'The customer’s email address. Null if it is not known.',
      resolve: (details) => details.email,
    }),
    phone: t.string({
      nullable: true,
      description:
        'The customer’s phone number in E.164 format, such as `+85251234567`. Null if it is not known.',
      resolve: (details) => details.phone,
    }),
    firstName: t.string({
      nullable: true,
      description: 'The customer’s first name. Null if it is not known.',
      resolve: (details) => details.firstName,
    }),
    lastName: t.string({
      nullable: true,
      description: 'The customer’s last name. Null if it is not known.',
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
    phone: t.string({
      required: true,
      description: 'The national number, without the country calling code, such as `51234567`.',
    }),
  }),
});

export const CustomerInput = builder.inputType('CustomerInput', {
  description: 'The details of a customer. Which fields are required depends on the operation.',
  fields: (t) => ({
    email: t.string({ description: 'The customer’s email address.' }),
    phone: t.field({ type: PhoneInput, description: 'The customer’s phone number.' }),
    firstName: t.string({ description: 'The customer’s first name, at most 100 characters.' }),
    lastName: t.string({ description: 'The customer’s last name, at most 100 characters.' }),
  }),
});
