import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';

/** The window of a desk. */
export const wide = { viewport: { width: 1440, height: 900 } };

/** A customer's browser, with cookies of its own. */
export type Customer = { context: BrowserContext; page: Page };

export type TestBrowser = {
  /** A fresh browser profile with one page. */
  customer(options?: BrowserContextOptions): Promise<Customer>;
};

/** A phone such as customers have; wide screens are tried where they matter. Motion is waited for where it is tried. */
const phone = {
  viewport: { width: 360, height: 740 },
  locale: 'en-HK',
  timezoneId: 'Asia/Hong_Kong',
  reducedMotion: 'reduce',
} as const;

/**
 * One Chromium for the test file. After each test every page is closed, and the test fails when a page asked another
 * origin than those given for anything, broke its own content security policy, or threw.
 */
export function testBrowser(origin: () => string | string[]): TestBrowser {
  let browser: Browser;
  let problems: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    const found = problems;
    problems = [];
    expect(found).toEqual([]);
  });
  return {
    async customer(options) {
      const context = await browser.newContext({ ...phone, ...options });
      context.setDefaultTimeout(30_000);
      // Told of, not held up: a route of Playwright's turns the browser's cache off. The browser itself reaches no other host.
      context.on('request', (request) => {
        const { origin: asked, protocol } = new URL(request.url());
        if (!/^https?:/.test(protocol) || request.redirectedFrom() !== null) return;
        if (![origin()].flat().includes(asked))
          problems.push(`a request to another origin: ${request.url()}`);
      });
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(message.text());
      });
      return { context, page: await context.newPage() };
    },
  };
}

/** Reads the QR code in a picture (PNG), as a payment app would. */
export async function readQr({ context }: Pick<Customer, 'context'>, picture: Buffer): Promise<string> {
  const page = await context.newPage();
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas?.drawImage(image, 0, 0);
    const data = canvas?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
    // As text, because a list of a million numbers would take seconds to hand over.
    return { width: image.width, height: image.height, pixels: new Uint8Array(data.buffer).toBase64() };
  }, picture.toString('base64'));
  await page.close();
  return decodeQR({ width, height, data: Buffer.from(pixels, 'base64') });
}
