import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { expect, test } from 'vitest';
import { type PosterFacts, posterDocument } from '../../src/document/poster-document.ts';
import { methodCodes } from '../../src/method/catalog.ts';
import { createPicture } from '../setup/pictures.ts';

const facts: PosterFacts = {
  languages: ['en'],
  merchant: { name: 'Harbour Teas', brandColor: '', logo: undefined },
  name: 'Market stall',
  money: { minor: 12_850n, currency: 'HKD' },
  url: 'https://pay.example/pay/links/cl_1',
  methods: ['fps'],
  expiry: undefined,
  isSandbox: false,
  isDemo: false,
  createdAt: new Date('2026-11-17T12:00:00.000Z'),
};

/** Returns the number of pages, and the left, top, right and bottom of the dark modules on the first page. */
async function readPoster(posterFacts: PosterFacts) {
  const { OPS } = await getResolvedPDFJS();
  const pdf = await getDocumentProxy(new Uint8Array(await posterDocument(posterFacts)));
  const { fnArray, argsArray } = await (await pdf.getPage(1)).getOperatorList();
  const [left, top, right, bottom] = argsArray[fnArray.indexOf(OPS.constructPath)].at(-1) as Float32Array;
  return { pageCount: pdf.numPages, left: left!, top: top!, right: right!, bottom: bottom! };
}

test('a poster in two languages with all methods has one page', async () => {
  expect((await readPoster(facts)).pageCount).toBe(1);
  const logo = createPicture({ width: 60, height: 60 });
  const { pageCount } = await readPoster({
    ...facts,
    languages: ['th', 'en'],
    merchant: { ...facts.merchant, logo },
    methods: methodCodes,
    expiry: { at: facts.createdAt, timeZone: 'Asia/Bangkok' },
    isSandbox: true,
  });
  expect(pageCount).toBe(1);
});

test('the QR code of a poster with the longest texts is large enough, and below the name', async () => {
  const name = 'W'.repeat(140);
  const { top, bottom, left, right, pageCount } = await readPoster({
    ...facts,
    languages: ['th', 'en'],
    merchant: { ...facts.merchant, name, logo: createPicture({ width: 60, height: 60 }) },
    name: 'W'.repeat(100),
    methods: methodCodes,
    expiry: { at: facts.createdAt, timeZone: 'Asia/Bangkok' },
    isSandbox: true,
  });
  expect(right - left).toBeGreaterThan(90);
  expect(top).toBeGreaterThan(600);
  expect(bottom).toBeLessThan(762);
  expect(pageCount).toBe(2);
});
