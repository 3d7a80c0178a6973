import type { GraphQLSchema } from 'graphql';

/** Who asks and how to sign in stay open, else nobody could see what is switched off. */
const alwaysEnabled = new Set(['me', 'viewer', 'signIn', 'signOut']);

/** What can be switched off for a merchant: the root fields, in alphabetical order. */
export function listOperationNames(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  return names.filter((name) => !alwaysEnabled.has(name)).sort();
}
