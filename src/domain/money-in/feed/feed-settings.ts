import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { CustomFeed } from '../../../feed/catalog.ts';
import { feedTimeFormats } from '../../../feed/feed-time.ts';
import { isHeaderPattern } from '../../../feed/header-pattern.ts';
import { isJsonPointer } from '../../../feed/json-document.ts';
import type { FeedPullSettings } from '../../../feed/pull/pull-settings.ts';
import { signedTextPlaceholders } from '../../../feed/signed-text.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { toInputErrors } from '../../../kit/schema-errors.ts';
import { checkTimeZone } from '../../../kit/time-zone.ts';

/** The part of a feed's configuration that is not secret. */
export type FeedSettings = {
  /** The name of the authentication in the feed's definition. */
  authentication: string;
  /** The path that the sender signs, if it is not the path of the request. */
  signedPath?: string | undefined;
  /** The URL of the bank's API, if it is not the public one. */
  apiUrl?: string | undefined;
  custom?: CustomFeed | undefined;
  /** Only for a feed that is polled. */
  pull?: FeedPullSettings | undefined;
};

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1, maxLength: 200 });
const pointer = Type.String({ maxLength: 200 });
const pointers = Type.Array(pointer, { minItems: 1, maxItems: 10 });
const conditions = Type.Optional(
  Type.Array(
    Type.Object({ pointer, values: Type.Optional(Type.Array(Type.String(), { maxItems: 20 })) }, strict),
    { maxItems: 10 },
  ),
);
const literals = <T extends string>(...values: T[]) => Type.Union(values.map((value) => Type.Literal(value)));

const signedMembers = {
  header: text,
  pattern: text,
  encoding: literals('hex', 'base64'),
  signedText: text,
  timestamp: Type.Optional(
    Type.Object({ header: Type.Optional(text), unit: literals('seconds', 'milliseconds', 'iso') }, strict),
  ),
};

const customSchema = Type.Object(
  {
    authentications: Type.Array(
      Type.Union([
        Type.Object(
          { scheme: Type.Literal('hmac'), algorithm: literals('sha256', 'sha512'), ...signedMembers },
          strict,
        ),
        Type.Object({ scheme: Type.Literal('rsa'), ...signedMembers }, strict),
        Type.Object({ scheme: Type.Literal('jws'), header: text }, strict),
        Type.Object({ scheme: Type.Literal('key'), header: text, pattern: text }, strict),
        Type.Object({ scheme: Type.Literal('basic') }, strict),
      ]),
      { minItems: 1, maxItems: 3 },
    ),
    mapping: Type.Object(
      {
        items: pointer,
        appliesIf: conditions,
        id: pointers,
        accounts: Type.Optional(Type.Array(pointers, { maxItems: 10 })),
        amount: pointer,
        currency: Type.Union([
          Type.Object({ value: Type.String({ pattern: '^[A-Z]{3}$' }) }, strict),
          Type.Object(
            {
              pointer,
              codes: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: '^[A-Z]{3}$' }))),
            },
            strict,
          ),
        ]),
        direction: Type.Union([
          literals('credit', 'sign'),
          Type.Object({ pointer, credit: Type.Array(text), debit: Type.Array(text) }, strict),
        ]),
        references: pointers,
        payerName: Type.Optional(pointers),
        payerAccount: Type.Optional(Type.Array(pointers, { maxItems: 10 })),
        paidAt: Type.Object(
          {
            pointers: Type.Array(pointer, { maxItems: 10 }),
            format: literals(...feedTimeFormats),
            timeZone: Type.Optional(text),
          },
          strict,
        ),
        acceptIf: conditions,
        testIf: conditions,
        reversalIf: conditions,
        returnedIf: conditions,
      },
      strict,
    ),
  },
  strict,
);

const validator = Compile(customSchema);

/** Parses the JSON description of a sender without a preset. */
export function parseCustomFeed(json: string, path: string): CustomFeed {
  const custom = readJson(json, path);
  const [, violations] = validator.Errors(custom);
  const [error] = violations.flatMap(toInputErrors);
  if (!validator.Check(custom))
    throw invalidInputError(path, `${error?.path ?? ''} ${error?.message ?? 'is invalid'}`.trim());
  checkPointers(custom, path);
  checkSignedTexts(custom, path);
  const { timeZone } = custom.mapping.paidAt;
  if (timeZone !== undefined) checkTimeZone(timeZone);
  return custom as CustomFeed;
}

type CustomInput = Static<typeof customSchema>;

function readJson(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw invalidInputError(path, 'must be valid JSON');
  }
}

function checkPointers({ mapping }: CustomInput, path: string): void {
  const {
    items,
    id,
    accounts = [],
    amount,
    currency,
    direction,
    references,
    payerName = [],
    payerAccount = [],
    paidAt,
  } = mapping;
  const { appliesIf = [], acceptIf = [], testIf = [], reversalIf = [], returnedIf = [] } = mapping;
  const all = [
    ...[
      items,
      ...id,
      ...accounts.flat(),
      amount,
      ...references,
      ...payerName,
      ...payerAccount.flat(),
      ...paidAt.pointers,
    ],
    ...('pointer' in currency ? [currency.pointer] : []),
    ...(typeof direction === 'object' ? [direction.pointer] : []),
    ...[appliesIf, acceptIf, testIf, reversalIf, returnedIf].flat().map((condition) => condition.pointer),
  ];
  const invalid = all.find((pointer) => !isJsonPointer(pointer));
  if (invalid !== undefined)
    throw invalidInputError(
      path,
      `contains "${invalid}", which is not a JSON pointer; write it as /payment/amount, or as 2/amount to start two levels up`,
    );
}

function checkSignedTexts({ authentications }: CustomInput, path: string): void {
  for (const authentication of authentications) {
    if (authentication.scheme === 'key' && !authentication.pattern.includes('{key}'))
      throw invalidInputError(path, 'the pattern of a key must contain {key}');
    if (authentication.scheme !== 'hmac' && authentication.scheme !== 'rsa') continue;
    if (!isHeaderPattern(authentication.pattern))
      throw invalidInputError(
        path,
        'the pattern of a signature must contain {signature} once and {timestamp} at most once, separated by a comma, a semicolon or a space, and no other placeholder',
      );
    const names = [...authentication.signedText.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const unknown = names.find((name) => !signedTextPlaceholders.includes(name));
    if (unknown !== undefined)
      throw invalidInputError(path, `the signed text has an unknown placeholder {${unknown}}`);
    if (!names.some((name) => /body/i.test(name)))
      throw invalidInputError(path, 'the signed text must contain the body or its hash');
    const needsTime = names.includes('timestamp') || authentication.pattern.includes('{timestamp}');
    if (needsTime !== (authentication.timestamp !== undefined))
      throw invalidInputError(path, 'timestamp must be given exactly if the signature contains a timestamp');
    if (authentication.timestamp && !names.includes('timestamp'))
      throw invalidInputError(
        path,
        'the signed text must contain {timestamp}, so that it cannot be replaced',
      );
  }
}
