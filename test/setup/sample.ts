import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';

const scalars: Record<string, string> = {
  Boolean: 'true',
  Date: '"2026-11-20"',
  DateTime: '"2026-11-20T08:30:00Z"',
  Decimal: '"1"',
  CurrencyCode: '"HKD"',
  CountryCode: '"HK"',
  Int: '50',
  Float: '1.5',
};

/** Some value of an input type as it stands in a document: what is not required is left out, lists are empty. */
export function sampleOf(type: GraphQLInputType): string {
  const named = getNullableType(type) as GraphQLInputType;
  if (isListType(named)) return '[]';
  if (isEnumType(named)) return named.getValues()[0]?.name ?? '';
  if (!isInputObjectType(named)) return scalars[String(named)] ?? '"x"';
  const all = Object.values(named.getFields());
  const required = named.isOneOf ? all.slice(0, 1) : all.filter(isRequiredInputField);
  return `{ ${required.map((field) => `${field.name}: ${sampleOf(field.type)}`).join(', ')} }`;
}
