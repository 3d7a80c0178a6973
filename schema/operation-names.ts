import type { GraphQLSchema } from 'graphql';
import { getRootFieldOptions } from './kit/root-field-options.ts';

/** Returns the operations that can be disabled for a merchant, in alphabetical order. An operation is a root field. */
export function listOperationNames(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}));
  return fields
    .filter(({ extensions }) => !getRootFieldOptions(extensions).isAlwaysEnabled)
    .map(({ name }) => name)
    .sort();
}
