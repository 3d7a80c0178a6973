import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { responsePathAsArray } from 'graphql';
import type { FieldResolver, GraphqlContext } from './graphql-context.ts';

const pluginName = 'idempotency';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      idempotency: IdempotencyPlugin<Types>;
    }
  }
}

/** Options of a field with a secret that is shown once: a replayed response contains null instead. */
export const redactOnReplay = { extensions: { isSecret: true } } as const;

/**
 * Options of a field that requires a recent re-authentication of users. The stored response of a mutation must
 * not reveal the value later, so a replay for a user contains null. API keys get the original value.
 */
export const redactOnUserReplay = { extensions: { isUserSecret: true } } as const;

/**
 * Records the outcome of a mutation under an Idempotency-Key: whether it succeeded, and the paths of secrets
 * in its response. Runs inside the errors plugin, so that errors are still thrown here and then become
 * members of the result union.
 */
class IdempotencyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    if (field.kind === 'Mutation') return recordOutcome(resolver);
    const { isSecret, isUserSecret } = field.extensions ?? {};
    return isSecret || isUserSecret ? recordSecretPath(resolver, Boolean(isSecret)) : resolver;
  }
}

function recordOutcome<Types extends SchemaTypes>(resolver: FieldResolver<Types>): FieldResolver<Types> {
  return async (parent, args, context, info) => {
    const { outcome } = context as GraphqlContext;
    if (outcome?.error) throw outcome.error;
    const value = await resolver(parent, args, context, info);
    if (outcome) outcome.hasSucceeded = true;
    return value;
  };
}

function recordSecretPath<Types extends SchemaTypes>(
  resolver: FieldResolver<Types>,
  isSecret: boolean,
): FieldResolver<Types> {
  return (parent, args, context, info) => {
    const { outcome, caller } = context as GraphqlContext;
    if (isSecret || caller.kind === 'user') outcome?.secretPaths.push(responsePathAsArray(info.path));
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin(pluginName, IdempotencyPlugin);

export default pluginName;
