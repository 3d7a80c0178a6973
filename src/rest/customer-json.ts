import { Type } from 'typebox';

/** A customer in an answer. */
export const customerSchema = Type.Object({
  id: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String({ description: 'E.164: + and country code and number' })),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
});
