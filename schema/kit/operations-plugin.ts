import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { requireOperation } from '../../src/domain/accounts/merchant/require-operation.ts';
import { requireTwoFactorSetup } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import { isMerchantScoped } from '../../src/http/caller.ts';
import type { FieldResolver, GraphqlContext } from './graphql-context.ts';
import { getRootFieldOptions } from './root-field-options.ts';
import { reauthorize, withReauthorization } from './with-reauthorization.ts';

const pluginName = 'operations';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      operations: OperationsPlugin<Types>;
    }
  }
}

/**
 * Checks for every root field, and before each event of a subscription, that the caller's merchant may use the
 * field. Runs inside the errors plugin, so that its errors become typed results.
 */
class OperationsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    if (field.kind !== 'Mutation' && field.kind !== 'Query') return resolver;
    const checked = withAccessCheck(resolver, field);
    return getRootFieldOptions(field).isLongRunning ? withExtendedTimeout(checked) : checked;
  }

  override wrapSubscribe(
    subscriber: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    return field.kind === 'Subscription' ? withStreamAccessCheck(subscriber, field) : subscriber;
  }
}

function withExtendedTimeout<Types extends SchemaTypes>(
  resolver: FieldResolver<Types>,
): FieldResolver<Types> {
  return (parent, args, context, info) => {
    (context as GraphqlContext).extendTime?.();
    return resolver(parent, args, context, info);
  };
}

function withAccessCheck<Types extends SchemaTypes>(
  resolver: FieldResolver<Types>,
  field: PothosOutputFieldConfig<Types>,
): FieldResolver<Types> {
  const { isRestricted, twoFactor } = getRootFieldOptions(field);
  const operation = { name: field.name, isRestricted };
  return (parent, args, context, info) => {
    const { caller } = context as GraphqlContext;
    if (isMerchantScoped(caller)) requireOperation(caller, operation);
    if (caller.kind === 'user' && twoFactor !== 'account') requireTwoFactorSetup(caller);
    return resolver(parent, args, context, info);
  };
}

function withStreamAccessCheck<Types extends SchemaTypes>(
  subscriber: FieldResolver<Types>,
  field: PothosOutputFieldConfig<Types>,
): FieldResolver<Types> {
  const subscribe = withAccessCheck(subscriber, field);
  return async (parent, args, context, info) => {
    const events = (await subscribe(parent, args, context, info)) as AsyncGenerator;
    const { caller, hub } = context as GraphqlContext;
    return withReauthorization(events, () => reauthorize(context as GraphqlContext, field.name), {
      // The removal or sign-out of a user is announced under the user's ID.
      ...(caller.kind === 'user' && { onChange: (listener) => hub.subscribe(caller.user.id, listener) }),
    });
  };
}

SchemaBuilder.registerPlugin(pluginName, OperationsPlugin);

export default pluginName;
