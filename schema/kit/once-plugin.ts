import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { type GraphQLFieldResolver, responsePathAsArray } from 'graphql';
import type { GraphqlContext } from './graphql-context.ts';

const pluginName = 'once';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      once: OncePlugin<Types>;
    }
  }
}

/** Options of a field with a secret that is shown once: it is null in the repeat of an answer. */
export const shownOnce = { extensions: { shownOnce: true } } as const;

/**
 * Options of a field that is null for users who have not re-authenticated recently: the stored answer of a mutation must
 * not hand it out later. It is null there; API keys get what they got the first time.
 */
export const withheldFromUsers = { extensions: { withheldFromUsers: true } } as const;

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/**
 * Tells what becomes of a mutation under an Idempotency-Key: whether it succeeded, and where its answer holds secrets.
 * Within the errors plugin, so that a refusal is still thrown here, and becomes a member of the result union.
 */
class OncePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (field.kind === 'Mutation') return noted(resolver);
    const { shownOnce: isShownOnce, withheldFromUsers: isWithheld } = field.extensions ?? {};
    return isShownOnce || isWithheld ? marked(resolver, Boolean(isShownOnce)) : resolver;
  }
}

function noted<Types extends SchemaTypes>(resolver: Resolver<Types>): Resolver<Types> {
  return async (parent, args, context, info) => {
    const { once } = context as GraphqlContext;
    if (once?.refusal) throw once.refusal;
    const value = await resolver(parent, args, context, info);
    if (once) once.hasSucceeded = true;
    return value;
  };
}

function marked<Types extends SchemaTypes>(resolver: Resolver<Types>, isShownOnce: boolean): Resolver<Types> {
  return (parent, args, context, info) => {
    const { once, caller } = context as GraphqlContext;
    if (isShownOnce || caller.kind === 'user') once?.secrets.push(responsePathAsArray(info.path));
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin(pluginName, OncePlugin);

export default pluginName;
