type JsonSchema = { [keyword: string]: unknown };

/**
 * Custom keywords in the schemas of routes, which describe how the OpenAPI document differs from validation: a schema
 * to show instead, or true for a member that is accepted but not described.
 */
export const documentedAs = 'x-documented-as';
export const isUndocumented = 'x-undocumented';
/** Ajv rejects keywords that it does not know. */
export const documentKeywords = [documentedAs, isUndocumented];

/**
 * Moves every schema with a title to the components of the document, named by its title, and refers to it. Two schemas
 * of one title must be equal, so that each object has one schema.
 */
export function nameComponents(components: Record<string, unknown>, root: object): object {
  const nameSchemas = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(nameSchemas);
    if (typeof node !== 'object' || node === null) return node;
    const replacement = (node as JsonSchema)[documentedAs];
    if (replacement !== undefined) return nameSchemas(replacement);
    const { title, ...schema } = mapMembers(node as JsonSchema, nameSchemas);
    if (typeof title !== 'string' || !isSchema(schema))
      return title === undefined ? schema : { title, ...schema };
    const existing = components[title];
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`the OpenAPI document has two different schemas named ${title}`);
    components[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  };
  return nameSchemas(root) as object;
}

/** Returns whether the node is a schema, because other nodes have titles too, such as the API and examples. */
function isSchema({ type, anyOf, properties }: JsonSchema): boolean {
  return (typeof type === 'string' && type !== '') || anyOf !== undefined || properties !== undefined;
}

function mapMembers(node: JsonSchema, map: (member: unknown) => unknown): JsonSchema {
  const entries = Object.entries(node).filter(
    ([, member]) => (member as JsonSchema | null)?.[isUndocumented] !== true,
  );
  return Object.fromEntries(
    entries.map(([name, member]) => [name, name === 'example' ? member : map(member)]),
  );
}
