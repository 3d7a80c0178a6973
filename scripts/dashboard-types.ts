import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import {
  type GraphQLSchema,
  type IntrospectionField,
  type IntrospectionQuery,
  introspectionFromSchema,
} from 'graphql';

/** The declaration file from which the dashboard imports the schema's types. */
export const dashboardTypesFile = new URL('../src/dashboard/graphql/introspection.d.ts', import.meta.url);

/**
 * Renders the schema as TypeScript types, from which the types of the dashboard's operations are inferred.
 */
export function renderDashboardTypes(schema: GraphQLSchema): string {
  const introspection = minifyIntrospection(
    requireRootFields(introspectionFromSchema(schema, { descriptions: false })),
  );
  const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // Selects these types without the linter directives before them and the global declarations after them.
  const parts = /export type introspection_types = [\s\S]*?\n\};|export type introspection = [\s\S]*?\n\};/g;
  return [
    '/** Written by `npm run schema` from the GraphQL schema. */',
    ...(types.match(parts) ?? []),
    '',
  ].join('\n');
}

/** Root fields without an argument `id` that may be null without an error. */
const optionalRootFields = ['viewer', 'testClock'];

/**
 * Declares most root fields as non-null. They are null only if they failed, and the dashboard's client then treats the
 * whole query as failed (`rootErrorExchange`).
 */
function requireRootFields({ __schema: { types, ...rest } }: IntrospectionQuery): IntrospectionQuery {
  const requireField = (field: IntrospectionField): IntrospectionField => {
    const isOptional =
      field.args.some(({ name }) => name === 'id') || optionalRootFields.includes(field.name);
    return isOptional || field.type.kind === 'NON_NULL'
      ? field
      : { ...field, type: { kind: 'NON_NULL', ofType: field.type } };
  };
  return {
    __schema: {
      ...rest,
      types: types.map((type) =>
        type.kind === 'OBJECT' && type.name === 'Query'
          ? { ...type, fields: type.fields.map(requireField) }
          : type,
      ),
    },
  };
}
