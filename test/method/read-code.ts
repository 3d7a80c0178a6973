import { getCrcInfo, TlvParserService } from 'emvco-qr-sdk';
import { decode, parse } from 'promptparse';
import { expect } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import { type EmvField, readEmv } from '../../src/method/emv.ts';

export type Fields = { [id: string]: string | Fields };

/** A code's fields as an object, read by our own reader, templates nested. The checksum is left out. */
export function parseFields(code: string): Fields {
  return toObject(readEmv(code, '/code'));
}

function toObject(fields: readonly EmvField[]): Fields {
  return Object.fromEntries(
    fields.map(([id, value]) => [id, typeof value === 'string' ? value : toObject(value)]),
  );
}

/** The same with the amount as a plain number, because `100`, `100.0` and `100.00` are one amount. */
export function comparable(code: string, leaveOut: string[] = []): Fields {
  const fields = parseFields(code);
  if (typeof fields['54'] === 'string') fields['54'] = `${Number(fields['54'])}`;
  for (const path of leaveOut) {
    const [id = '', sub] = path.split('-');
    const inner = fields[id];
    if (sub === undefined) delete fields[id];
    else if (typeof inner === 'object') delete inner[sub];
  }
  return fields;
}

/** Two parsers written by others read the code as ours does, templates included, and find its checksum right. */
export function expectOthersAgree(code: string): void {
  const ours = readEmv(code, '/code');
  const root = { ...plain(ours), '63': code.slice(-4) };

  // Both guess which values are templates, and guess wrong for numbers; so each level is asked for by itself.
  const promptparse = parse(code, true, false);
  expect(promptparse, `promptparse refuses ${code}`).not.toBeNull();
  expect(byId(promptparse?.getTags() ?? [])).toEqual(root);
  const tlvs = TlvParserService.parse(code, false);
  expect(byTag(tlvs)).toEqual(root);
  expect(getCrcInfo(code, tlvs)).toEqual({ value: code.slice(-4), isValid: true });

  for (const [, value] of ours) {
    if (typeof value === 'string') continue;
    const text = textOfValue(value);
    expect(byId(decode(text))).toEqual(plain(value));
    expect(byTag(TlvParserService.parse(text, false))).toEqual(plain(value));
  }
}

function byTag(tlvs: { tag: string; value: string }[]): Record<string, string> {
  return byId(tlvs.map(({ tag, value }) => ({ id: tag, value })));
}

function byId(tags: { id: string; value: string }[]): Record<string, string> {
  expect(new Set(tags.map(({ id }) => id)).size).toBe(tags.length);
  return Object.fromEntries(tags.map(({ id, value }) => [id, value]));
}

function plain(fields: readonly EmvField[]): Record<string, string> {
  return Object.fromEntries(fields.map(([id, value]) => [id, textOfValue(value)]));
}

function textOfValue(value: EmvField[1]): string {
  if (typeof value === 'string') return value;
  return value
    .map(([id, inner]) => {
      const text = textOfValue(inner);
      return id + String(text.length).padStart(2, '0') + text;
    })
    .join('');
}

/** The `DomainError` of `act`. Fails if there is none, or another error. */
export function catchDomainError(act: () => unknown): DomainError {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('No error was thrown');
}
