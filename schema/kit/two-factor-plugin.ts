import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import { requireRecentTwoFactor } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import type { FieldResolver, GraphqlContext } from './graphql-context.ts';

const pluginName = 'twoFactor';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      twoFactor: TwoFactorPlugin<Types>;
    }
  }
}

/** Enforces `twoFactorRules` for every mutation. */
class TwoFactorPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    if (field.kind !== 'Mutation') return resolver;
    return (parent, args, context, info) => {
      const { caller, clock } = context as GraphqlContext;
      const { input } = args as { input?: { kind?: unknown } };
      if (caller.kind === 'user' || caller.kind === 'operator')
        requireRecentTwoFactor(caller, { operation: field.name, exportKind: input?.kind, now: clock.now() });
      return resolver(parent, args, context, info);
    };
  }
}

SchemaBuilder.registerPlugin(pluginName, TwoFactorPlugin);

export default pluginName;
