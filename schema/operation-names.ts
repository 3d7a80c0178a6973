import type { GraphQLSchema } from 'graphql';

/** Stay enabled so that users can still sign in and see what is disabled. */
const alwaysEnabled = new Set(['me', 'viewer', 'signIn', 'signOut']);

/** Returns the operations that can be disabled for a merchant: the root fields, in alphabetical order. */
export function listOperationNames(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  return names.filter((name) => !alwaysEnabled.has(name)).sort();
}
