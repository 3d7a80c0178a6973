import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';

/** The declaration file from which the dashboard imports the schema's types. */
export const dashboardTypesFile = new URL('../src/dashboard/graphql/introspection.d.ts', import.meta.url);

/**
 * Renders the schema as TypeScript types, from which the types of the dashboard's operations are inferred.
 */
export function renderDashboardTypes(schema: GraphQLSchema): string {
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // Drops the linter directives before these types, and the global declarations after them.
  const parts = /export type introspection_types = [\s\S]*?\n\};|export type introspection = [\s\S]*?\n\};/g;
  return [
    '/** Written by `npm run schema` from the GraphQL schema. */',
    ...(types.match(parts) ?? []),
    '',
  ].join('\n');
}
