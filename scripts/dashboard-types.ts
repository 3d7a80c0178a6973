import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { type GraphQLSchema, introspectionFromSchema } from 'graphql';

/** Where the dashboard reads the schema's types from. */
export const dashboardTypesFile = new URL('../src/dashboard/graphql/introspection.d.ts', import.meta.url);

/** The schema as TypeScript types, from which those of the dashboard's operations follow. */
export function renderDashboardTypes(schema: GraphQLSchema): string {
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  const types = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // What comes before is for linters, what comes after would declare the types for every file of the project.
  const parts = /export type introspection_types = [\s\S]*?\n\};|export type introspection = [\s\S]*?\n\};/g;
  return [
    '/** Written by `npm run schema` from the GraphQL schema. */',
    ...(types.match(parts) ?? []),
    '',
  ].join('\n');
}
