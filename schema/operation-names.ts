import type { GraphQLSchema } from 'graphql';

/** Operations that cannot be disabled, so that users can sign in and see which operations are disabled. */
const alwaysEnabled = new Set(['me', 'viewer', 'signIn', 'signOut']);

/** Returns the operations that can be disabled for a merchant, in alphabetical order. An operation is a root field. */
export function listOperationNames(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  return names.filter((name) => !alwaysEnabled.has(name)).sort();
}
