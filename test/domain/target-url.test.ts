import { describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { parseRedirectUrl } from '../../src/domain/platform/target-url.ts';

describe('the address that a customer goes back to', () => {
  const parse = (text: string, mode: Mode = 'live') =>
    parseRedirectUrl(text, {
      mode,
      redirectSchemes: ['shop.app', 'javascript'],
      allowPrivateWebhookUrls: false,
    });

  test.each(['https://shop.example/back?x=1', 'shop.app://done'])('may be %s', (text) => {
    expect(parse(text)).toBe(text);
  });

  test('may be http in the sandbox alone', () => {
    expect(parse('http://shop.example/', 'sandbox')).toBe('http://shop.example/');
    expect(() => parse('http://shop.example/')).toThrow('must be an https URL');
  });

  test.each([
    'https://shop.example@elsewhere.example/',
    'https://user:password@shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/x',
    '//elsewhere.example',
    '/back',
    'other.app://done',
  ])('may not be %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
