import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';

const scalars: Record<string, string> = {
  Boolean: 'boolean',
  Float: 'number',
  Int: 'number',
  Translation: 'Record<string, unknown>',
};

/** Renders the types of the GraphQL schema as TypeScript, without descriptions, which the schema has. */
export function renderGraphqlTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const sortedTypes = types.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sortedTypes.flatMap((type) => renderNamedType(type, schema) ?? []).join('\n');
}

function renderNamedType(type: GraphQLNamedType, schema: GraphQLSchema): string | undefined {
  // TypeScript has these scalars.
  if (type.name === 'Boolean' || type.name === 'String') return undefined;
  if (isScalarType(type)) return `export type ${type.name} = ${scalars[type.name] ?? 'string'};\n`;
  if (isEnumType(type)) {
    const values = type.getValues().map(({ name }) => `  | '${name}'`);
    return `export type ${type.name} =\n${values.join('\n')};\n`;
  }
  if (isUnionType(type) || isInterfaceType(type)) {
    const members = schema.getPossibleTypes(type).map(({ name }) => `  | ${name}`);
    return `export type ${type.name} =\n${members.join('\n')};\n`;
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) => {
      const isRequired = isNonNullType(field.type) && field.defaultValue === undefined;
      const optional = isRequired ? '' : '?';
      return `  ${field.name}${optional}: ${renderReference(field.type)}${optional ? ' | undefined' : ''};\n`;
    });
    return `export type ${type.name} = {\n${fields.join('')}};\n`;
  }
  if (!isObjectType(type)) return undefined;
  const fields = Object.values(type.getFields()).map(
    (field) => `  ${field.name}: ${renderReference(field.type)};\n`,
  );
  return `export type ${type.name} = {\n  __typename: '${type.name}';\n${fields.join('')}};\n`;
}

function renderReference(type: GraphQLOutputType | GraphQLInputType): string {
  if (isNonNullType(type)) return renderPresent(type.ofType);
  return `${renderPresent(type)} | null`;
}

function renderPresent(type: GraphQLOutputType | GraphQLInputType): string {
  if (isListType(type)) return `Array<${renderReference(type.ofType)}>`;
  const { name } = type as GraphQLNamedType;
  if (name === 'Boolean' || name === 'String') return name.toLowerCase();
  return name;
}
