import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { requireOperation } from '../../src/domain/accounts/merchant/operations.ts';
import { requireTwoFactorSetup } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { actsForMerchant } from '../../src/http/caller.ts';
import type { GraphqlContext } from './graphql-context.ts';
import { checkAgain, whileAllowed } from './while-allowed.ts';

const pluginName = 'operations';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      operations: OperationsPlugin<Types>;
    }
  }
}

/** Options of a mutation that may take longer than others: it reads large files, or waits on purpose. */
export const takesTime = { extensions: { takesTime: true } } as const;

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/**
 * Checks of every root field, and of live fields before each event, that the caller's merchant may use it; within the
 * errors plugin, so that its errors are typed.
 */
class OperationsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (field.kind === 'Mutation') {
      const mutation = guarded(resolver, field.name);
      return field.extensions?.takesTime ? extended(mutation) : mutation;
    }
    return field.kind === 'Query' ? guarded(resolver, field.name) : resolver;
  }

  override wrapSubscribe(
    subscriber: Resolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> {
    return field.kind === 'Subscription' ? guardedStream(subscriber, field.name) : subscriber;
  }
}

function extended<Types extends SchemaTypes>(resolver: Resolver<Types>): Resolver<Types> {
  return (parent, args, context, info) => {
    (context as GraphqlContext).extendTime?.();
    return resolver(parent, args, context, info);
  };
}

function guarded<Types extends SchemaTypes>(resolver: Resolver<Types>, operation: string): Resolver<Types> {
  return (parent, args, context, info) => {
    const { caller } = context as GraphqlContext;
    if (actsForMerchant(caller)) requireOperation(caller, operation);
    if (caller.kind === 'user') requireTwoFactorSetup(caller, operation);
    return resolver(parent, args, context, info);
  };
}

function guardedStream<Types extends SchemaTypes>(
  subscriber: Resolver<Types>,
  operation: string,
): Resolver<Types> {
  const subscribe = guarded(subscriber, operation);
  return async (parent, args, context, info) => {
    const events = (await subscribe(parent, args, context, info)) as AsyncGenerator;
    const { caller, hub } = context as GraphqlContext;
    return whileAllowed(events, () => checkAgain(context as GraphqlContext, operation), {
      // A user who is removed, or signs out elsewhere, is told of under their id.
      ...(caller.kind === 'user' && { onChange: (listener) => hub.subscribe(caller.user.id, listener) }),
    });
  };
}

SchemaBuilder.registerPlugin(pluginName, OperationsPlugin);

export default pluginName;
