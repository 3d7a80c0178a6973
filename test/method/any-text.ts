import fc from 'fast-check';

const surrogates = { from: 0xd800, count: 0x800 };

/** Any text of valid Unicode, including control characters. It is created faster than with the unit `binary`. */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  const unit = fc
    .oneof(fc.nat(0x7f), fc.nat(0xff_ff - surrogates.count), fc.nat(0x10_ff_ff - surrogates.count))
    .map((code) => String.fromCodePoint(code < surrogates.from ? code : code + surrogates.count));
  return fc.string({ unit, maxLength });
}
