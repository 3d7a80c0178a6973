import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalogue.ts';
import { createDestination } from '../../src/method/destination.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { expectOthersAgree } from './read-code.ts';
import { vectors } from './vectors.ts';

/** Takes the details or refuses them; those taken must serve every payment, the largest a code can hold included. */
function takesOrRefuses(method: MethodCode, input: unknown): boolean {
  const scheme = getScheme(method);
  let details: ReturnType<typeof scheme.parseDetails>;
  try {
    details = scheme.parseDetails(input);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({ code: 'receiving_account_invalid' });
    return false;
  }
  const { currency, min } = paymentMethods[method];
  const largest = 10n ** (currency === 'VND' || currency === 'KRW' ? 13n : 12n) - 1n;
  for (const minor of [min.minor, largest - (largest % min.minor)]) {
    for (const demo of [false, true]) {
      const destination = createDestination({
        method,
        details,
        holder: 'Công ty Đá',
        amount: { minor, currency },
        paymentReference: 'BREAD2345',
        demo,
      });
      expect(destination.account).toMatch(/\S/);
      if (destination.qrCode.startsWith('00')) expectOthersAgree(destination.qrCode);
    }
  }
  return true;
}

/** The members a method's details may have, whichever form they belong to. */
function membersOf(method: MethodCode): string[] {
  const schema: TSchema & { anyOf?: TSchema[] } = getScheme(method).detailsSchema;
  const forms = (schema.anyOf ?? [schema]) as (TSchema & { properties: object })[];
  return [...new Set(forms.flatMap((form) => Object.keys(form.properties)))];
}

describe('whatever is sent as details, it is refused with a reason or serves every payment', () => {
  test.each(methodCodes)('%s: any JSON', (method) => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        takesOrRefuses(method, input);
      }),
      { numRuns: count(100, 1_000) },
    );
  });

  test.each(methodCodes)('%s: its members with any text', (method) => {
    const text = fc.oneof(
      anyText(40),
      fc.stringMatching(/^[0-9]{1,20}$/),
      fc.stringMatching(/^[A-Z0-9]{1,20}$/),
      fc.stringMatching(/^[ -~]{1,30}$/),
      fc.constantFrom(
        'demo@example.com',
        'a@b',
        '062000',
        '01-0902-0068389-00',
        '+85251234567',
        'GXCHPHM2XXX',
      ),
    );
    const members = membersOf(method);
    const input = fc.dictionary(fc.constantFrom(...members), text, { minKeys: 1, maxKeys: members.length });
    fc.assert(
      fc.property(input, (details) => {
        takesOrRefuses(method, details);
      }),
      { numRuns: count(300, 3_000) },
    );
  });
});

describe('codes of merchants with any field changed are refused or serve every payment', () => {
  const demoCode = (method: 'duit-now' | 'gojek-id') => getScheme(method).demoDetails.staticQrCode;
  const cases: [MethodCode, string, string][] = [
    ['duit-now', 'staticQrCode', demoCode('duit-now')],
    ['gojek-id', 'staticQrCode', demoCode('gojek-id')],
    ['gojek-id', 'staticQrCode', vectors['QRIS-2 real, static']],
    ['instapay', 'staticQrCode', vectors['QRPH-2 real, for merchants'].replace('010212', '010211')],
    ['viettel-pay', 'staticQrCode', vectors['VQ-1']],
  ];

  test.each(cases)('%s by %s: %s', (method, member, code) => {
    const body = code.slice(0, -8);
    const ids = [
      '00',
      '01',
      '02',
      '26',
      '28',
      '38',
      '51',
      '52',
      '54',
      '55',
      '59',
      '62',
      '64',
      '80',
      '82',
      '91',
      '99',
    ];
    const field = fc
      .tuple(fc.constantFrom(...ids), fc.stringMatching(/^[ -~]{1,99}$/), fc.boolean())
      .map(([id, text, nested]) => tag(id, nested ? encode([tag('05', text.slice(0, 95))]) : text));
    const added = fc
      .array(field, { minLength: 1, maxLength: 3 })
      .map((fields) => withCrcTag(body + encode(fields), '63'));
    const edited = fc
      .tuple(fc.nat(body.length), fc.nat(8), fc.stringMatching(/^[0-9A-Z]{0,6}$/))
      .map(([at, cut, text]) => withCrcTag(body.slice(0, at) + text + body.slice(at + cut), '63'));
    const rest = { bank: 'A Bank' };
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(added, edited), (changed) => {
        if (takesOrRefuses(method, { [member]: changed, ...rest })) taken++;
      }),
      { numRuns: count(1_000, 10_000) },
    );
    expect(taken).toBeGreaterThan(20);
  });
});
