import type { InputError } from './errors.ts';

/** A violation of a JSON schema, as Ajv (routes of REST) and TypeBox (other input) report it. */
export type SchemaViolation = { keyword: string; instancePath: string; params: object };

type Params = {
  additionalProperty?: string;
  allowedValues?: readonly unknown[];
  limit?: number;
  missingProperty?: string;
  requiredProperties?: readonly string[];
  type?: string | readonly string[];
};

const typeNames: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * Returns the input errors of a violation in our own words, because those of the libraries omit the allowed
 * values of an enum and are not written for users.
 */
export function toInputErrors({ keyword, instancePath, params }: SchemaViolation): InputError[] {
  const { additionalProperty, missingProperty, requiredProperties = [missingProperty!] } = params as Params;
  if (keyword === 'required')
    return requiredProperties.map((name) => ({
      path: instancePath + toPointer(name),
      message: 'is required',
    }));
  // TypeBox reports an unknown member twice: at its own path (`boolean`), and at the path of its object, in a
  // list of all unknown members. The second report is ignored.
  if (keyword === 'boolean') return [{ path: instancePath, message: 'is unknown' }];
  if (keyword === 'additionalProperties')
    return additionalProperty === undefined
      ? []
      : [{ path: instancePath + toPointer(additionalProperty), message: 'is unknown' }];
  return [{ path: instancePath, message: toMessage(keyword, params) }];
}

function toMessage(keyword: string, { allowedValues = [], limit = 0, type = [] }: Params): string {
  switch (keyword) {
    case 'type':
      return `must be ${[type]
        .flat()
        .map((name) => typeNames[name] ?? name)
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${allowedValues.map(formatValue).join(', ')}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must be at least ${limit} characters long`;
    case 'maxLength':
      return `must be at most ${limit} characters long`;
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `must have at most ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    default:
      return 'is invalid';
  }
}

/** Quotes values that would be unclear in a list, such as a comma or a tab. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Returns the JSON pointer (RFC 6901) of a property. */
export function toPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
