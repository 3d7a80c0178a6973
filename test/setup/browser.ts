import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import { expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { fileTest } from './fixtures.ts';

export const desktop = { viewport: { width: 1440, height: 900 } };

export type Customer = { context: BrowserContext; page: Page };

export type TestBrowser = {
  /** Opens a new browser profile with one page. */
  customer(options?: BrowserContextOptions): Promise<Customer>;
};

/** The default phone. Animations are disabled, because only some tests are about them. */
const phone = {
  viewport: { width: 360, height: 740 },
  locale: 'en-HK',
  timezoneId: 'Asia/Hong_Kong',
  reducedMotion: 'reduce',
} as const;

/** One Chromium for the test file; `openCustomers` opens profiles in it. */
export const browserTest = fileTest.extend('browser', { scope: 'file' }, async ({ onFileCleanup }) => {
  const browser = await launchChromium();
  onFileCleanup(() => browser.close());
  return browser;
});

/**
 * Opens browser profiles. `close` closes them, and fails if a page sent a request to another origin than `origin`,
 * violated its content security policy, or threw.
 */
export function openCustomers(browser: Browser, origin: () => string | string[]) {
  const problems: string[] = [];
  return {
    async customer(options?: BrowserContextOptions): Promise<Customer> {
      const context = await browser.newContext({ ...phone, ...options });
      context.setDefaultTimeout(30_000);
      // A Playwright route would disable the browser cache, so requests are only observed. The browser cannot reach
      // other hosts.
      context.on('request', (request) => {
        const { origin: requestOrigin, protocol } = new URL(request.url());
        if (!/^https?:/.test(protocol) || request.redirectedFrom() !== null) return;
        if (![origin()].flat().includes(requestOrigin))
          problems.push(`a request to another origin: ${request.url()}`);
      });
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(message.text());
      });
      return { context, page: await context.newPage() };
    },
    async close(): Promise<void> {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(problems.splice(0)).toEqual([]);
    },
  };
}

/** Decodes the QR code of a PNG. */
export async function readQr({ context }: Pick<Customer, 'context'>, picture: Buffer): Promise<string> {
  const page = await context.newPage();
  const { width, height, pixels } = await page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
    const image = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas?.drawImage(image, 0, 0);
    const data = canvas?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
    // Returned as base64, because transferring an array of a million numbers takes seconds.
    return { width: image.width, height: image.height, pixels: new Uint8Array(data.buffer).toBase64() };
  }, picture.toString('base64'));
  await page.close();
  return decodeQR({ width, height, data: Buffer.from(pixels, 'base64') });
}
