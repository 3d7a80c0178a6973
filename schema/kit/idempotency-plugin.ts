import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { type GraphQLFieldResolver, responsePathAsArray } from 'graphql';
import type { GraphqlContext } from './graphql-context.ts';

const pluginName = 'once';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      once: IdempotencyPlugin<Types>;
    }
  }
}

/** Options of a field with a secret that is shown once: it is null in the repeat of an answer. */
export const redactOnReplay = { extensions: { shownOnce: true } } as const;

/**
 * Options of a field that is null for users who have not re-authenticated recently: the stored answer of a mutation must
 * not hand it out later. It is null there; API keys get what they got the first time.
 */
export const redactOnUserReplay = { extensions: { withheldFromUsers: true } } as const;

type IdempotencyResolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/**
 * Tells what becomes of a mutation under an Idempotency-Key: whether it succeeded, and where its answer holds secrets.
 * Within the errors plugin, so that a refusal is still thrown here, and becomes a member of the result union.
 */
class IdempotencyPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: IdempotencyResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): IdempotencyResolver<Types> {
    if (field.kind === 'Mutation') return recordOutcome(resolver);
    const { shownOnce: isSecret, withheldFromUsers: isUserSecret } = field.extensions ?? {};
    return isSecret || isUserSecret ? recordSecretPath(resolver, Boolean(isSecret)) : resolver;
  }
}

function recordOutcome<Types extends SchemaTypes>(
  resolver: IdempotencyResolver<Types>,
): IdempotencyResolver<Types> {
  return async (parent, args, context, info) => {
    const { outcome } = context as GraphqlContext;
    if (outcome?.error) throw outcome.error;
    const value = await resolver(parent, args, context, info);
    if (outcome) outcome.hasSucceeded = true;
    return value;
  };
}

function recordSecretPath<Types extends SchemaTypes>(
  resolver: IdempotencyResolver<Types>,
  isSecret: boolean,
): IdempotencyResolver<Types> {
  return (parent, args, context, info) => {
    const { outcome, caller } = context as GraphqlContext;
    if (isSecret || caller.kind === 'user') outcome?.secretPaths.push(responsePathAsArray(info.path));
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin(pluginName, IdempotencyPlugin);

export default pluginName;
