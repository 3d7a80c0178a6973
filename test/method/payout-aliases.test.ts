import { expect, test } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import { type AliasScheme, aliasSchemes } from '../../src/method/payout-alias.ts';
import { parsePayoutDetails } from '../../src/method/payout-details.ts';

const parse = (scheme: AliasScheme, account: string, country: string = aliasSchemes[scheme].country) =>
  parsePayoutDetails(country, { scheme, account, holder: 'Ada Wong', bank: 'ignored' });

test.each([
  ['fps', '5123 4567', '+85251234567'],
  ['fps', 'ada@example.com', 'ada@example.com'],
  ['fps', '123-4567', '1234567'],
  ['paynow', '8123 4567', '+6581234567'],
  ['paynow', 's1234567d', 'S1234567D'],
  ['paynow', 'M1234567K', 'M1234567K'],
  ['paynow', '209900000Z', '209900000Z'],
  ['prompt_pay', '081-234-5678', '+66812345678'],
  ['prompt_pay', '1-1017-00230-70-8', '1101700230708'],
  ['prompt_pay', '004999012345678', '004999012345678'],
  ['upi', ' ada.wong@okexample ', 'ada.wong@okexample'],
  ['pay_id', '0412 345 678', '+61412345678'],
  ['pay_id', '+61 412 345 678', '+61412345678'],
  ['pay_id', 'ada@example.com', 'ada@example.com'],
  ['pay_id', '51 824 753 556', '51824753556'],
] as const)('%s accepts %s as %s', (scheme, text, alias) => {
  expect(parse(scheme, text)).toEqual({ scheme, account: alias, bank: '', holder: 'Ada Wong' });
});

test.each([
  ['fps', '12345'],
  ['fps', '+65 8123 4567'],
  ['paynow', 'S1234567A'],
  ['paynow', '209900000A'],
  ['paynow', '6123 4567'],
  ['prompt_pay', '1-1017-00230-70-9'],
  ['prompt_pay', '02 123 4567'],
  ['upi', 'ada.wong'],
  ['pay_id', '51 824 753 557'],
  ['pay_id', 'ada at example.com'],
  ['pay_id', ''],
] as const)('%s rejects %s', (scheme, text) => {
  expect(() => parse(scheme, text)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      inputErrors: [expect.objectContaining({ path: '/account' })],
    }),
  );
});

test.each([
  ['fps', '', 'must be a mobile number, an email address or an FPS ID'],
  ['paynow', '', 'must be a mobile number, a UEN, or the number of an NRIC or FIN'],
  ['prompt_pay', '12', 'must be a mobile number, or an ID of 13 or 15 digits'],
  ['pay_id', 'ada', 'must be a mobile number, an email address or an ABN'],
] as const)('%s rejects “%s” with the kinds of aliases', (scheme, text, message) => {
  expect(() => parse(scheme, text)).toThrow(
    expect.objectContaining({ inputErrors: [{ path: '/account', message }] }),
  );
});

test('a scheme of another country is rejected, and so is a missing holder', () => {
  const error = (() => {
    try {
      return parsePayoutDetails('MY', { scheme: 'paynow', account: '8123 4567', holder: '' });
    } catch (thrown) {
      return thrown as DomainError;
    }
  })();
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).inputErrors.map(({ path }) => path)).toEqual(['/scheme', '/holder']);
});
