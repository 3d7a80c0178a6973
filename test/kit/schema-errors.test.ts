import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { toInputErrors } from '../../src/kit/schema-errors.ts';

const validator = Compile(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 5 }),
      code: Type.Optional(Type.String({ minLength: 2 })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
      mark: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [',', ';', '\t', 'utf-8', './'] })),
      list: Type.Optional(Type.Array(Type.Number(), { minItems: 1, maxItems: 2 })),
      flag: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
      either: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    },
    { additionalProperties: false },
  ),
);

const findErrors = (value: unknown) => validator.Errors(value)[1].flatMap(toInputErrors);

describe('A violation of a schema', () => {
  test.each([
    [[], '', 'must be an object'],
    [{}, '/name', 'is required'],
    [{ name: 5 }, '/name', 'must be a string'],
    [{ name: '' }, '/name', 'must not be empty'],
    [{ name: 'abcdef' }, '/name', 'must be at most 5 characters long'],
    [{ name: 'a', code: 'b' }, '/code', 'must be at least 2 characters long'],
    [{ name: 'a', count: 1.5 }, '/count', 'must be an integer'],
    [{ name: 'a', count: 0 }, '/count', 'must be at least 1'],
    [{ name: 'a', count: 10 }, '/count', 'must be at most 9'],
    [{ name: 'a', mark: 'x' }, '/mark', 'must be one of ",", ";", "\\t", utf-8, "./"'],
    [{ name: 'a', list: [] }, '/list', 'must have at least 1 entry'],
    [{ name: 'a', list: [1, 2, 3] }, '/list', 'must have at most 2 entries'],
    [{ name: 'a', list: ['x'] }, '/list/0', 'must be a number'],
    [{ name: 'a', flag: 'x' }, '/flag', 'must be true or false'],
    [{ name: 'a', either: 5 }, '/either', 'must be a string or null'],
  ])('of %o is reported at its path with the limits', (value, path, message) => {
    expect(findErrors(value)).toContainEqual({ path, message });
  });

  test('lists each missing and each unknown member once, with an escaped path', () => {
    expect(findErrors({ 'a/b~': 1, other: 2 })).toEqual([
      { path: '/name', message: 'is required' },
      { path: '/a~1b~0', message: 'is unknown' },
      { path: '/other', message: 'is unknown' },
    ]);
  });
});
