import { Type } from 'typebox';

export const customerSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The ID of the customer, `cus_…`.' })),
    email: Type.Optional(
      Type.String({ description: 'The customer’s email address. Omitted if it is not known.' }),
    ),
    phone: Type.Optional(
      Type.String({ description: 'The customer’s phone number in E.164 format, such as `+85251234567`.' }),
    ),
    firstName: Type.Optional(
      Type.String({ description: 'The customer’s first name. Omitted if it is not known.' }),
    ),
    lastName: Type.Optional(
      Type.String({ description: 'The customer’s last name. Omitted if it is not known.' }),
    ),
  },
  { title: 'Customer', description: 'The customer who pays.' },
);
