import {
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isUnionType,
} from 'graphql';

/** What a list without pages is taken to hold. */
const defaultListSize = 5;
/** What a page holds when nobody says how much. */
export const defaultPageSize = 10;
const mutationCost = 10;

/**
 * What a field costs: each object that may come counts 1, its own values nothing. What stands in a list counts as often
 * as the list may have objects: as many as are asked for of a page, five where there are no pages. A mutation counts 10
 * more.
 */
export function getFieldCost(
  args: Record<string, unknown>,
  _context: unknown,
  field: { name: string; type: GraphQLOutputType; args: readonly unknown[] },
): { field: number; multiplier: number } {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return { field: field.name === 'totalCount' ? 1 : 0, multiplier: 1 };
  if (type.name.endsWith('Connection')) return { field: 1, multiplier: getPageSize(args) };
  // Within a page, which has counted them: its edges, its objects, and where it stands.
  if (type.name.endsWith('Edge') || type.name === 'PageInfo') return { field: 0, multiplier: 1 };
  if (field.name === 'nodes' && field.args.length === 0) return { field: 1, multiplier: 1 };
  if (isListType(getNullableType(field.type))) {
    const size = Array.isArray(args.ids) ? args.ids.length : defaultListSize;
    return { field: size, multiplier: size };
  }
  const isMutation = isUnionType(type) && type.name.endsWith('Result');
  return { field: isMutation ? mutationCost : 1, multiplier: 1 };
}

/** How many objects a page may have; a size that is refused later counts as it is asked for. */
function getPageSize({ first, last }: Record<string, unknown>): number {
  const size = first ?? last ?? defaultPageSize;
  return Math.max(typeof size === 'number' ? size : defaultPageSize, 1);
}
