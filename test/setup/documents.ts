import fc, { type GeneratorValue } from 'fast-check';
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/**
 * A document that asks anything of a schema's queries: fields under other names, twice, in fragments with and without a
 * name, of interfaces and unions, objects by their ids and pages of lists. Its parts may contradict each other.
 */
export function anyDocument(schema: GraphQLSchema, draw: GeneratorValue, ids: string[]): string {
  const fragments: string[] = [];
  const oneOf = <T>(values: readonly T[]): T => values[draw(fc.nat, { max: values.length - 1 })]!;
  const chance = (percent: number) => draw(fc.nat, { max: 99 }) < percent;

  const argumentsOf = ({ args }: Field): string => {
    const given = args.flatMap(({ name }) => {
      if (name === 'id') return `id: ${JSON.stringify(oneOf(ids))}`;
      if (name === 'ids') return `ids: ${JSON.stringify([oneOf(ids), oneOf(ids)])}`;
      return name === 'first' && chance(50) ? `first: ${oneOf([0, 1, 3])}` : [];
    });
    return given.length > 0 ? `(${given.join(', ')})` : '';
  };
  const one = (field: Field, depth: number, isAliased: boolean): string => {
    const given = argumentsOf(field);
    // Under one name there is one field with one set of arguments.
    const alias = isAliased || given !== '' || chance(10) ? `a${draw(fc.nat, { max: 9_999 })}: ` : '';
    const type = getNamedType(field.type);
    return `${alias}${field.name}${given}${isLeafType(type) ? '' : ` ${selection(type, depth - 1)}`}`;
  };
  const fieldsOf = (type: GraphQLNamedType, depth: number, isAliased = false): string => {
    const may = isObjectType(type) ? Object.values(type.getFields()).filter(isAskable) : [];
    const usable = may.filter((field) => depth > 0 || isLeafType(getNamedType(field.type)));
    const chosen = Array.from({ length: draw(fc.nat, { max: 5 }) }, () => oneOf(['__typename', ...usable]));
    return [
      '__typename',
      ...chosen.map((field) => (typeof field === 'string' ? field : one(field, depth, isAliased))),
    ].join(' ');
  };
  const selection = (type: GraphQLNamedType, depth: number): string => {
    if (isAbstractType(type)) {
      // The same name for values of different types would contradict.
      const parts = schema.getPossibleTypes(type).map((member) => {
        return `... on ${member.name} { ${fieldsOf(member, depth, true)} }`;
      });
      return `{ __typename ${parts.join(' ')} }`;
    }
    const fields = fieldsOf(type, depth);
    if (chance(15)) {
      const name = `Part${fragments.length}`;
      fragments.push(`fragment ${name} on ${type.name} { ${fieldsOf(type, depth)} }`);
      return `{ ${fields} ...${name} }`;
    }
    return chance(15)
      ? `{ ${fields} ... on ${type.name} { ${fieldsOf(type, depth)} } ... { __typename } }`
      : `{ ${fields} }`;
  };
  const query = selection(schema.getQueryType()!, 5);
  return [`query ${query}`, ...fragments].join('\n');
}

/** What needs no more than an id. */
function isAskable({ args }: Field): boolean {
  return args.every((arg) => !isRequiredArgument(arg) || arg.name === 'id' || arg.name === 'ids');
}
