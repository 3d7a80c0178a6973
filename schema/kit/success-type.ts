import type { ObjectRef, ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { builder, type ExtendedTypes } from './builder.ts';

type PayloadField = {
  type: TypeParam<ExtendedTypes>;
  description: string;
  nullable?: boolean;
  /** The property of the resolver's value that the field exposes; by default, the one with the field's name. */
  property?: string;
  /** Extensions of the GraphQL field, such as those of `redactOnReplay`. */
  extensions?: Readonly<Record<string, unknown>>;
};

type PropertyName<Name, Field> = Field extends { property: infer Property extends string } ? Property : Name;

/** The value that the resolver of the mutation returns. */
type SuccessPayload<Fields extends Record<string, PayloadField>> = {
  [Name in keyof Fields as PropertyName<Name, Fields[Name]> & string]: ShapeFromTypeParam<
    ExtendedTypes,
    Fields[Name]['type'],
    Fields[Name]['nullable'] extends true ? true : false
  >;
};

/** Creates the success type of a mutation, whose fields expose properties of the resolver's value. */
export function successType<const Fields extends Record<string, PayloadField>>(
  name: string,
  { description, fields }: { description: string; fields: Fields },
): ObjectRef<ExtendedTypes, SuccessPayload<Fields>> {
  return builder.objectRef<SuccessPayload<Fields>>(name).implement({
    description,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(fields).map(([fieldName, { property = fieldName, ...options }]) => [
          fieldName,
          t.expose(property as never, options as never),
        ]),
      ),
  });
}
