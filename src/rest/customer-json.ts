import { Type } from 'typebox';

/** A customer in a response. */
export const customerSchema = Type.Object({
  id: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(
    Type.String({ description: 'The customer’s phone number in E.164 format, such as `+85251234567`.' }),
  ),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
});
