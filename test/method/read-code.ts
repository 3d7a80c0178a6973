import { getCrcInfo, TlvParserService } from 'emvco-qr-sdk';
import { decode, parse } from 'promptparse';
import { expect } from 'vitest';
import { DomainError } from '../../src/kit/errors.ts';
import type { EmvField } from '../../src/method/emv.ts';
import { readEmv } from '../../src/method/read-emv.ts';

export type Fields = { [id: string]: string | Fields };

/** The fields of a code without its checksum, with templates as nested objects. */
export function parseFields(code: string): Fields {
  return toObject(readEmv(code, '/code'));
}

function toObject(fields: readonly EmvField[]): Fields {
  return Object.fromEntries(
    fields.map(([id, value]) => [id, typeof value === 'string' ? value : toObject(value)]),
  );
}

/** The same without `ignoredPaths`, and with the amount as a number, because `100` and `100.00` are equal amounts. */
export function parseComparable(code: string, ignoredPaths: string[] = []): Fields {
  const fields = parseFields(code);
  if (typeof fields['54'] === 'string') fields['54'] = `${Number(fields['54'])}`;
  for (const path of ignoredPaths) {
    const [id = '', innerId] = path.split('-');
    const inner = fields[id];
    if (innerId === undefined) delete fields[id];
    else if (typeof inner === 'object') delete inner[innerId];
  }
  return fields;
}

/** Expects that two other parsers read the same fields and templates, and a valid checksum. */
export function expectOthersAgree(code: string): void {
  const fields = readEmv(code, '/code');
  const root = { ...toTexts(fields), '63': code.slice(-4) };

  // Both parsers mistake some numbers for templates, so that each level is parsed separately.
  const promptparse = parse(code, true, false);
  expect(promptparse, `promptparse rejects ${code}`).not.toBeNull();
  expect(indexById(promptparse?.getTags() ?? [])).toEqual(root);
  const tlvs = TlvParserService.parse(code, false);
  expect(indexByTag(tlvs)).toEqual(root);
  expect(getCrcInfo(code, tlvs)).toEqual({ value: code.slice(-4), isValid: true });

  for (const [, value] of fields) {
    if (typeof value === 'string') continue;
    const text = toText(value);
    expect(indexById(decode(text))).toEqual(toTexts(value));
    expect(indexByTag(TlvParserService.parse(text, false))).toEqual(toTexts(value));
  }
}

function indexByTag(tlvs: { tag: string; value: string }[]): Record<string, string> {
  return indexById(tlvs.map(({ tag, value }) => ({ id: tag, value })));
}

function indexById(tags: { id: string; value: string }[]): Record<string, string> {
  expect(new Set(tags.map(({ id }) => id)).size).toBe(tags.length);
  return Object.fromEntries(tags.map(({ id, value }) => [id, value]));
}

function toTexts(fields: readonly EmvField[]): Record<string, string> {
  return Object.fromEntries(fields.map(([id, value]) => [id, toText(value)]));
}

function toText(value: EmvField[1]): string {
  if (typeof value === 'string') return value;
  return value
    .map(([id, inner]) => {
      const text = toText(inner);
      return id + String(text.length).padStart(2, '0') + text;
    })
    .join('');
}

/** Returns the `DomainError` that `action` throws; throws if there is none or another error. */
export function catchDomainError(action: () => unknown): DomainError {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('No error was thrown');
}
