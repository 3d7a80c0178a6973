import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { requireRecentTwoFactor } from '../../src/domain/accounts/user/require-recent-two-factor.ts';
import type { GraphqlContext } from './graphql-context.ts';

const pluginName = 'twoFactor';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      twoFactor: TwoFactorPlugin<Types>;
    }
  }
}

type TwoFactorResolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Enforces `twoFactorRules` for every mutation. */
class TwoFactorPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: TwoFactorResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): TwoFactorResolver<Types> {
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
