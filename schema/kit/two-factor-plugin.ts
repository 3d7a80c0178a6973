import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { requireRecentTwoFactor } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import type { FieldResolver, GraphqlContext } from './graphql-context.ts';
import { getRootFieldOptions } from './root-field-options.ts';

const pluginName = 'twoFactor';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      twoFactor: TwoFactorPlugin<Types>;
    }
  }
}

/** Enforces the option `twoFactor` of every mutation. */
class TwoFactorPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    if (field.kind !== 'Mutation') return resolver;
    const { twoFactor: rule = 'live' } = getRootFieldOptions(field);
    return (parent, args, context, info) => {
      const { caller, clock } = context as GraphqlContext;
      if (caller.kind === 'user' || caller.kind === 'operator')
        requireRecentTwoFactor(caller, { rule, now: clock.now() });
      return resolver(parent, args, context, info);
    };
  }
}

SchemaBuilder.registerPlugin(pluginName, TwoFactorPlugin);

export default pluginName;
