import fc from 'fast-check';
import { encode, tag, withCrcTag } from 'promptparse';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import { type MethodCode, methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { createDestination } from '../../src/method/destination.ts';
import { getScheme } from '../../src/method/schemes.ts';
import { count } from '../setup/counts.ts';
import { anyText } from './any-text.ts';
import { catchDomainError, expectOthersAgree } from './read-code.ts';
import { vectors } from './vectors.ts';

const bank = 'A Bank';

/** Returns whether the details are accepted. Expects accepted details to work for the smallest and largest amounts. */
function expectUsableIfAccepted(method: MethodCode, input: unknown): boolean {
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
        paymentReference: 'BREW23456R',
        demo,
      });
      expect(destination.account).toMatch(/\S/);
      if (destination.qrCode.startsWith('00')) expectOthersAgree(destination.qrCode);
    }
  }
  return true;
}

/** The members of all forms of a method's details. */
function getMembers(method: MethodCode): string[] {
  const schema: TSchema & { anyOf?: TSchema[] } = getScheme(method).detailsSchema;
  const forms = (schema.anyOf ?? [schema]) as (TSchema & { properties: object })[];
  return [...new Set(forms.flatMap((form) => Object.keys(form.properties)))];
}

describe('the details of an account', () => {
  test.each<[MethodCode, object, object, string, string]>([
    ['fps', { fpsId: '123 4567' }, { fpsId: '1234567' }, '1234567', 'FPS'],
    [
      'fps',
      { fpsId: '123456789', bank: '滙豐 😀' },
      { fpsId: '123456789', bank: '滙豐 😀' },
      '123456789',
      '滙豐 😀',
    ],
    [
      'fps',
      { mobile: '5123 4567', bankCode: '004' },
      { mobile: '+85251234567', bankCode: '004' },
      '+85251234567',
      'FPS',
    ],
    ['fps', { email: 'Pay+1@example.com' }, { email: 'Pay+1@example.com' }, 'Pay+1@example.com', 'FPS'],
    [
      'hk-bank-transfer',
      { bankCode: '004', account: '123-456789-001', bank },
      { bankCode: '004', account: '123456789001', bank },
      '004-123456789001',
      bank,
    ],
    ['paynow', { uen: '200002150h' }, { uen: '200002150H' }, '200002150H', 'PayNow'],
    ['paynow', { uen: '200002150HWCF' }, { uen: '200002150HWCF' }, '200002150HWCF', 'PayNow'],
    ['paynow', { uen: '00192200M' }, { uen: '00192200M' }, '00192200M', 'PayNow'],
    ['paynow', { uen: 'S16FC0121D' }, { uen: 'S16FC0121D' }, 'S16FC0121D', 'PayNow'],
    ['paynow', { uen: 'T01FC6132D' }, { uen: 'T01FC6132D' }, 'T01FC6132D', 'PayNow'],
    ['paynow', { mobile: '8123 4567' }, { mobile: '+6581234567' }, '+6581234567', 'PayNow'],
    [
      'viettel-pay',
      { bin: '970436', account: '0123 456 789', bank },
      { bin: '970436', account: '0123456789', bank },
      '970436-0123456789',
      bank,
    ],
    [
      'instapay',
      { bic: 'gxchphm2', account: '0917-123-4567', bank },
      { bic: 'GXCHPHM2XXX', account: '09171234567', bank },
      'GXCHPHM2XXX-09171234567',
      bank,
    ],
    [
      'instapay',
      { bic: 'GXCHPHM2XXX', account: '1234', mobile: '0917 123 4567', bank },
      { bic: 'GXCHPHM2XXX', account: '1234', mobile: '+639171234567', bank },
      'GXCHPHM2XXX-1234',
      bank,
    ],
    ['prompt-pay', { mobile: '081-222-3333' }, { mobile: '+66812223333' }, '+66812223333', 'PromptPay'],
    ['prompt-pay', { taxId: '0-1055-00000-00-3' }, { taxId: '0105500000003' }, '0105500000003', 'PromptPay'],
    ['prompt-pay', { taxId: '1111111111119' }, { taxId: '1111111111119' }, '1111111111119', 'PromptPay'],
    [
      'prompt-pay',
      { eWalletId: '140000812345678' },
      { eWalletId: '140000812345678' },
      '140000812345678',
      'PromptPay',
    ],
    [
      'prompt-pay',
      { billerId: '099300045304207' },
      { billerId: '099300045304207' },
      '099300045304207',
      'PromptPay',
    ],
    [
      'in-bank-transfer',
      { vpa: ' shop.1-a_b@okbank ' },
      { vpa: 'shop.1-a_b@okbank' },
      'shop.1-a_b@okbank',
      'UPI',
    ],
    [
      'in-bank-transfer',
      { ifsc: 'hdfc0000001', account: '50100012345678', bank },
      { ifsc: 'HDFC0000001', account: '50100012345678', bank },
      'HDFC0000001-50100012345678',
      bank,
    ],
    [
      'id-bank-transfer',
      { bankCode: '014', account: '0123456789', bank },
      { bankCode: '014', account: '0123456789', bank },
      '014-0123456789',
      bank,
    ],
    [
      'au-bank-transfer',
      { bsb: '062-000', account: '1234 5678', bank },
      { bsb: '062000', account: '12345678', bank },
      '062-000 12345678',
      bank,
    ],
    ['au-bank-transfer', { mobile: '0412 345 678' }, { mobile: '+61412345678' }, '+61412345678', 'PayID'],
    [
      'au-bank-transfer',
      { email: 'pay@example.com.au' },
      { email: 'pay@example.com.au' },
      'pay@example.com.au',
      'PayID',
    ],
    ['au-bank-transfer', { abn: '51 824 753 556' }, { abn: '51824753556' }, '51824753556', 'PayID'],
    [
      'nz-bank-transfer',
      { account: '01-902-0068389-00', bank },
      { account: '01-0902-0068389-00', bank },
      '01-0902-0068389-00',
      bank,
    ],
    [
      'toss',
      { bankCode: '092', account: '1000-1234-5678', bank },
      { bankCode: '092', account: '100012345678', bank },
      '092-100012345678',
      bank,
    ],
  ])('of %s %j are accepted and normalized', (method, input, stored, account, displayedBank) => {
    const scheme = getScheme(method);
    const details = scheme.parseDetails(input);
    expect(details).toEqual(stored);
    expect(scheme.getAccount(details)).toBe(account);
    expect(scheme.getBank(details)).toBe(displayedBank);
    // Merchants may send stored details again.
    expect(scheme.parseDetails(JSON.parse(JSON.stringify(details)))).toEqual(stored);
  });

  test.each([
    // Examples of the specification of Inland Revenue, with the algorithms A, D and G.
    '01-0902-0068389-00',
    '08-6523-1954512-001',
    '26-2600-0320871-032',
    // The other algorithms: B, E, F, and X, which checks nothing.
    '12-3041-1244961-11',
    '12-3042-1244961-11',
    '09-0000-1954510-04',
    '25-2500-0110000-01',
    '31-2800-0320871-032',
    '12-3140-0171323-50',
    '04-2021-0095861-15',
  ])('of the New Zealand account %s have valid check digits', (account) => {
    const scheme = getScheme('nz-bank-transfer');
    expect(scheme.parseDetails({ account, bank })).toEqual({ account, bank });
    expect(scheme.parseDetails({ account: account.replaceAll('-', ''), bank })).toEqual({ account, bank });
    expect(scheme.parseDetails({ account: account.replaceAll('-', ' '), bank })).toEqual({ account, bank });
  });
});

describe('invalid details', () => {
  test.each<[MethodCode, unknown, string, string]>([
    ['fps', { fpsId: '12345678' }, '/fpsId', '7 or 9 digits'],
    ['fps', { fpsId: '123456' }, '/fpsId', '7 or 9 digits'],
    ['fps', { fpsId: '１２３４５６７' }, '/fpsId', 'digits'],
    ['fps', { mobile: '+6581234567' }, '/mobile', 'a Hong Kong mobile number'],
    ['fps', { mobile: '2123 4567' }, '/mobile', 'a Hong Kong mobile number'],
    ['fps', { mobile: 'call 5123 4567' }, '/mobile', 'a Hong Kong mobile number'],
    ['fps', { mobile: '51234567 ext 3' }, '/mobile', 'a Hong Kong mobile number'],
    ['fps', { mobile: '51234567', bankCode: '4' }, '/bankCode', '3 digits'],
    ['fps', { email: 'not an address' }, '/email', 'email'],
    ['fps', { email: 'pay@exämple.com' }, '/email', 'ASCII'],
    ['fps', { email: 'päy@example.com' }, '/email', 'ASCII'],
    ['fps', { email: `${'a'.repeat(60)}@example.com` }, '/email', '64 characters'],
    ['fps', { fpsId: '1234567', email: 'pay@example.com' }, '', 'exactly one of: fpsId, mobile, email'],
    ['fps', {}, '', 'exactly one of'],
    ['fps', { fpsId: '1234567', bankCode: '004' }, '/bankCode', 'unknown'],
    ['fps', { fpsId: 1234567 }, '/fpsId', 'must be a string'],
    ['fps', { fpsId: '' }, '/fpsId', 'must not be empty'],
    ['fps', { fpsId: '1234567', bank: 'HS\u0000BC' }, '/bank', 'control characters'],
    ['fps', { fpsId: '1234567', bank: '   ' }, '/bank', 'must not be empty'],
    ['fps', { fpsId: '1234567', bank: 'HS\ud800BC' }, '/bank', 'line of text'],
    ['fps', null, '', 'exactly one of'],
    ['fps', [], '', 'exactly one of'],
    ['fps', 'text', '', 'exactly one of'],
    ['hk-bank-transfer', { bankCode: '004', account: '12345678', bank }, '/account', '9 to 12 digits'],
    ['hk-bank-transfer', { bankCode: '004', account: '1234567890123', bank }, '/account', '9 to 12 digits'],
    ['hk-bank-transfer', { bankCode: '004', account: '004-123-456838', bank }, '/account', 'bank code 004'],
    ['hk-bank-transfer', { bankCode: '004', account: '004123456838', bank }, '/account', '004-123456-838'],
    ['hk-bank-transfer', { bankCode: '04', account: '123456789', bank }, '/bankCode', '3 digits'],
    ['hk-bank-transfer', { bankCode: '004', account: '123456789' }, '/bank', 'required'],
    ['hk-bank-transfer', null, '', 'must be an object'],
    ['paynow', { uen: '200002150A' }, '/uen', 'check letter'],
    ['paynow', { uen: '200002151H' }, '/uen', 'check letter'],
    ['paynow', { uen: '00192200X' }, '/uen', 'check letter'],
    ['paynow', { uen: 'S16FC0121A' }, '/uen', 'check letter'],
    ['paynow', { uen: '200002150HWC' }, '/uen', 'suffix'],
    ['paynow', { uen: '200002150HWCFX' }, '/uen', 'suffix'],
    ['paynow', { uen: '20000215H' }, '/uen', 'check letter'],
    ['paynow', { uen: '200002150' }, '/uen', 'must be a UEN'],
    ['paynow', { mobile: '6123 4567' }, '/mobile', 'a Singapore mobile number'],
    ['viettel-pay', { bin: '97043', account: '1', bank }, '/bin', '6 digits'],
    ['viettel-pay', { bin: '970436', account: '1'.repeat(20), bank }, '/account', '1 to 19'],
    ['viettel-pay', { bin: '970436', account: 'Số 1', bank }, '/account', 'letters or digits'],
    ['viettel-pay', { bin: '970436', account: '123' }, '/bank', 'required'],
    ['instapay', { bic: 'GXCHSGM2', account: '1234', bank }, '/bic', 'country code PH'],
    ['instapay', { bic: 'GXCHPH', account: '1234', bank }, '/bic', '8 or 11'],
    ['instapay', { bic: 'GXCHPHM2', account: '123', bank }, '/account', '4 to 19'],
    [
      'instapay',
      { bic: 'GXCHPHM2', account: '1234', bank, mobile: '123' },
      '/mobile',
      'a Philippine mobile number',
    ],
    ['prompt-pay', { mobile: '+66 2 123 4567' }, '/mobile', 'a Thai mobile number'],
    ['prompt-pay', { taxId: '0105500000004' }, '/taxId', 'check digit'],
    ['prompt-pay', { taxId: '010550000000' }, '/taxId', '13 digits'],
    ['prompt-pay', { eWalletId: '1234' }, '/eWalletId', '15 digits'],
    ['prompt-pay', { billerId: '0112233445566' }, '/billerId', '15 digits'],
    ['prompt-pay', { billerId: '099300045304207', reference2: 'a/b' }, '/reference2', 'letters or digits'],
    ['in-bank-transfer', { vpa: 'shop' }, '/vpa', 'UPI ID'],
    ['in-bank-transfer', { vpa: 'shop@bank&am=1' }, '/vpa', 'UPI ID'],
    ['in-bank-transfer', { vpa: 'shop@@bank' }, '/vpa', 'UPI ID'],
    ['in-bank-transfer', { vpa: `${'a'.repeat(300)}@bank` }, '/vpa', '255 characters'],
    ['in-bank-transfer', { ifsc: 'HDFC1000001', account: '123456789', bank }, '/ifsc', 'IFSC'],
    ['in-bank-transfer', { ifsc: 'HDFC0000001', account: '12345678', bank }, '/account', '9 to 18 digits'],
    ['id-bank-transfer', { bankCode: '14', account: '0123456789', bank }, '/bankCode', '3 digits'],
    ['id-bank-transfer', { bankCode: '014', account: '1234567', bank }, '/account', '8 to 16 digits'],
    ['au-bank-transfer', { bsb: '06200', account: '12345678', bank }, '/bsb', '6 digits'],
    ['au-bank-transfer', { bsb: '062000', account: '1234', bank }, '/account', '5 to 9 digits'],
    ['au-bank-transfer', { mobile: '02 9374 4000' }, '/mobile', 'an Australian mobile number'],
    ['au-bank-transfer', { abn: '51824753557' }, '/abn', 'check digits'],
    ['au-bank-transfer', { abn: '5182475355' }, '/abn', '11 digits'],
    ['nz-bank-transfer', { account: '01-0902-0068388-00', bank }, '/account', 'check digits'],
    ['nz-bank-transfer', { account: '01-0903-0068389-00', bank }, '/account', 'check digits'],
    ['nz-bank-transfer', { account: '08-6523-1954513-001', bank }, '/account', 'check digits'],
    ['nz-bank-transfer', { account: '26-2600-0320871-033', bank }, '/account', 'check digits'],
    ['nz-bank-transfer', { account: '07-0902-0068389-00', bank }, '/account', 'not a New Zealand bank'],
    ['nz-bank-transfer', { account: '01-1200-0068389-00', bank }, '/account', 'branch 1200'],
    [
      'nz-bank-transfer',
      { account: '01-0902-00683891-00', bank },
      '/account',
      'in the form 01-0902-0068389-00',
    ],
    ['nz-bank-transfer', { account: '0109020068389', bank }, '/account', 'in the form 01-0902-0068389-00'],
    ['toss', { bankCode: '092', account: '123456789', bank }, '/account', '10 to 16 digits'],
    ['toss', { bankCode: 'toss', account: '1234567890', bank }, '/bankCode', '3 digits'],
  ])('of %s %j are rejected with the path of the member', (method, details, path, reason) => {
    const error = catchDomainError(() => getScheme(method).parseDetails(details));
    expect(error).toMatchObject({ code: 'receiving_account_invalid', status: 422 });
    expect(error.inputErrors).toEqual([{ path, message: expect.stringContaining(reason) }]);
    expect(error.message).toContain(reason);
  });

  test('are rejected with all schema errors, as JSON pointers', () => {
    const error = catchDomainError(() =>
      getScheme('hk-bank-transfer').parseDetails({
        bankCode: 4,
        account: '1',
        'a/b~c': '',
        bank: 'x'.repeat(61),
      }),
    );
    expect(error.inputErrors.map(({ path }) => path).sort()).toEqual(['/a~1b~0c', '/bank', '/bankCode']);
    expect(error.message).toContain('and 2 more');
  });

  test('are rejected for members of the prototype', () => {
    const parse = getScheme('hk-bank-transfer').parseDetails;
    const hostile = JSON.parse(`{"bankCode":"004","account":"123456789","bank":"B","__proto__":{"x":1}}`);
    expect(catchDomainError(() => parse(hostile)).inputErrors[0]?.path).toBe('/__proto__');
  });
});

describe('the schema of the details', () => {
  test.each(methodCodes)('of %s accepts the demo account', (method) => {
    const scheme = getScheme(method);
    expect(scheme.method).toBe(method);
    expect(Check(scheme.detailsSchema, scheme.demoDetails)).toBe(true);
    expect(scheme.parseDetails(scheme.demoDetails)).toEqual(scheme.demoDetails);
    expect(JSON.parse(JSON.stringify(scheme.demoDetails))).toEqual(scheme.demoDetails);
  });

  test.each(methodCodes)('of %s describes every member, and has valid examples', (method) => {
    const scheme = getScheme(method);
    const schema: TSchema & { anyOf?: TSchema[] } = scheme.detailsSchema;
    for (const form of schema.anyOf ?? [schema]) {
      const { properties, description } = form as TSchema & {
        description: string;
        properties: Record<string, { description: string; examples: string[] }>;
      };
      expect(description).toMatch(/\w/);
      const members = Object.entries(properties);
      expect(members.length).toBeGreaterThan(0);
      for (const [, member] of members) expect(member.description).toMatch(/\w/);
      const example = Object.fromEntries(members.map(([name, member]) => [name, member.examples[0]]));
      expect(Check(scheme.detailsSchema, example)).toBe(true);
      expect(scheme.getAccount(scheme.parseDetails(example))).toMatch(/\w/);
    }
  });
});

describe('the identity of an account', () => {
  const getIdentity = (method: MethodCode, details: object) => {
    const scheme = getScheme(method);
    return scheme.getIdentity(scheme.parseDetails(details));
  };
  const gcash = { bic: 'GXCHPHM2XXX', account: 'ab1234', bank };
  const vietQr = { bin: '970436', account: 'abc123', bank };

  test.each<[MethodCode, object, object]>([
    ['fps', { email: 'pay@example.com' }, { email: 'PAY@example.com', bank }],
    ['viettel-pay', vietQr, { ...vietQr, account: 'ABC123' }],
    ['duit-now', getScheme('duit-now').demoDetails, { ...getScheme('duit-now').demoDetails, account: '7' }],
    ['instapay', gcash, { ...gcash, mobile: '0917 123 4567', account: 'AB1234' }],
    ['in-bank-transfer', { vpa: 'shop@okbank' }, { vpa: 'SHOP@okbank' }],
    ['gojek-id', getScheme('gojek-id').demoDetails, { ...getScheme('gojek-id').demoDetails, bank }],
    ['au-bank-transfer', { email: 'pay@example.com' }, { email: 'Pay@example.com' }],
    ['nz-bank-transfer', { account: '01-0902-0068389-00', bank }, { account: '01-0902-0068389-000', bank }],
  ])('of %s is equal for %j and %j', (method, first, same) => {
    expect(getIdentity(method, same)).toBe(getIdentity(method, first));
  });

  test.each<[MethodCode, object, object]>([
    ['fps', { mobile: '51234567' }, { mobile: '51234567', bankCode: '004' }],
    ['prompt-pay', { billerId: '099300045304207' }, { billerId: '099300045304207', reference2: 'SHOP1' }],
    ['prompt-pay', { billerId: '140000812345678' }, { eWalletId: '140000812345678' }],
    ['in-bank-transfer', { vpa: 'shop.a@okbank' }, { vpa: 'shopa@okbank' }],
  ])('of %s differs for %j and %j', (method, first, other) => {
    expect(getIdentity(method, other)).not.toBe(getIdentity(method, first));
  });
});

describe('any details are rejected, or usable for every payment', () => {
  test.each(methodCodes)('of %s, for any JSON', (method) => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        expectUsableIfAccepted(method, input);
      }),
      { numRuns: count(100, 1_000) },
    );
  });

  test.each(methodCodes)('of %s, for its members with any text', (method) => {
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
    const members = getMembers(method);
    const input = fc.dictionary(fc.constantFrom(...members), text, { minKeys: 1, maxKeys: members.length });
    fc.assert(
      fc.property(input, (details) => {
        expectUsableIfAccepted(method, details);
      }),
      { numRuns: count(300, 3_000) },
    );
  });
});

describe('codes with changed fields are rejected, or usable for every payment', () => {
  const getDemoCode = (method: 'duit-now' | 'gojek-id') => getScheme(method).demoDetails.staticQrCode;
  const cases: [MethodCode, string, string][] = [
    ['duit-now', 'staticQrCode', getDemoCode('duit-now')],
    ['gojek-id', 'staticQrCode', getDemoCode('gojek-id')],
    ['gojek-id', 'staticQrCode', vectors['QRIS-2 real, static']],
    ['instapay', 'staticQrCode', vectors['QRPH-2 real, for merchants'].replace('010212', '010211')],
    ['viettel-pay', 'staticQrCode', vectors['VQ-1']],
  ];

  test.each(cases)('of %s in %s: %s', (method, member, code) => {
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
      .map(([position, removedLength, text]) =>
        withCrcTag(body.slice(0, position) + text + body.slice(position + removedLength), '63'),
      );
    let acceptedCount = 0;
    fc.assert(
      fc.property(fc.oneof(added, edited), (changed) => {
        if (expectUsableIfAccepted(method, { [member]: changed, bank })) acceptedCount++;
      }),
      { numRuns: count(1_000, 10_000) },
    );
    expect(acceptedCount).toBeGreaterThan(20);
  });
});
