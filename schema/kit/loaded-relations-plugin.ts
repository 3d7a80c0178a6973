import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { FieldResolver } from './graphql-context.ts';

const pluginName = 'loadedRelations';

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      loadedRelations: LoadedRelationsPlugin<Types>;
    }
  }
}

/**
 * Marks a row that was read together with its relations. Only valid if the selection has no nested relations.
 */
const relationsLoaded = Symbol('loaded relations');

export function markRelationsLoaded<Row extends object>(row: Row): Row {
  return Object.assign(row, { [relationsLoaded]: true });
}

/**
 * Resolves relations of marked rows from the row itself, because the Prisma plugin otherwise looks up a plan
 * for each row. Runs inside scope-auth, which authorizes first.
 */
class LoadedRelationsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: FieldResolver<Types>,
    field: PothosOutputFieldConfig<Types>,
  ): FieldResolver<Types> {
    const relation = field.extensions?.pothosPrismaRelationField as { name: string } | undefined;
    if (!relation) return resolver;
    return (parent, args, context, info) => {
      const row = parent as Record<string | symbol, unknown>;
      const value = row[relationsLoaded] ? row[relation.name] : undefined;
      return value === undefined ? resolver(parent, args, context, info) : value;
    };
  }
}

SchemaBuilder.registerPlugin(pluginName, LoadedRelationsPlugin);

export default pluginName;
