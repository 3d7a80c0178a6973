import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { requireOperation } from '../src/domain/merchant/operations.ts';
import type { GraphqlContext } from './graphql-context.ts';

const pluginName = 'operations';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      operations: OperationsPlugin<Types>;
    }
  }
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Asks of every root field whether the caller's merchant may use it; within the errors plugin, so that refusals are typed. */
class OperationsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return field.kind === 'Query' || field.kind === 'Mutation' ? guarded(resolver, field.name) : resolver;
  }

  override wrapSubscribe(
    subscriber: Resolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    return field.kind === 'Subscription' ? guarded(subscriber, field.name) : subscriber;
  }
}

function guarded<Types extends SchemaTypes>(resolver: Resolver<Types>, operation: string): Resolver<Types> {
  return (parent, args, context, info) => {
    const { caller } = context as GraphqlContext;
    const actsForMerchant = caller.kind === 'key' || caller.kind === 'user' || caller.kind === 'page';
    if (actsForMerchant) requireOperation(caller, operation);
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin(pluginName, OperationsPlugin);

export default pluginName;
