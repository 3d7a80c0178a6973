import { extractImages, extractLinks, extractText, getDocumentProxy, getMeta } from 'unpdf';
import { expect, test } from 'vitest';
import { toRuns } from '../../src/document/fonts.ts';
import { type InvoiceFacts, invoiceDocument } from '../../src/document/invoice-document.ts';
import { languageCodes } from '../../src/language/languages.ts';
import { createPicture } from '../setup/pictures.ts';

const payUrl = 'https://pay.example/pay/invoice/aW5fMQ.dG9rZW4';

const facts: InvoiceFacts = {
  language: 'en',
  id: 'in_1',
  number: 12,
  status: 'open',
  isFictional: false,
  merchant: {
    name: 'Harbour Teas',
    address: '1 Queen’s Road\nHong Kong',
    taxNumber: '',
    supportEmail: '',
    brandColor: '',
    logo: undefined,
  },
  customer: ['Ada Wong', 'ada@example.com'],
  plan: 'Tea of the month',
  orders: [
    { name: 'Dragon Well', quantity: 2, amount: '32.10' },
    { name: 'Teapot', amount: '64.30' },
  ],
  total: { minor: 12_850n, currency: 'HKD' },
  tax: undefined,
  period: { start: new Date('2026-11-19T23:30:00.000Z'), end: new Date('2026-12-19T23:30:00.000Z') },
  timeZone: 'Asia/Hong_Kong',
  createdAt: new Date('2026-11-17T23:30:00.000Z'),
  dueAt: new Date('2026-11-19T23:30:00.000Z'),
  paidAt: null,
  payUrl,
};

/** Returns the number of pages, the text with single spaces, and the bytes of a document. */
async function readDocument(changes: Partial<InvoiceFacts> = {}) {
  const bytes = await invoiceDocument({ ...facts, ...changes });
  const { totalPages, text } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return { pages: totalPages, text: text.join('\n').replace(/\s+/g, ' '), bytes };
}

test('an invoice has number, dates, merchant, customer, period, orders, total and payment link', async () => {
  const { text, pages, bytes } = await readDocument();
  expect(pages).toBe(1);
  for (const part of [
    'Invoice',
    'Number 12',
    'Date 18 November 2026',
    'Due 20 November 2026',
    'Status Unpaid',
    'From Harbour Teas 1 Queen’s Road Hong Kong',
    'Bill to Ada Wong ada@example.com',
    'Tea of the month',
    'Period 20 November 2026 – 20 December 2026',
    'Dragon Well 2 × HK$32.10 HK$64.20',
    'Teapot 1 HK$64.30',
    'Total HK$128.50',
    `Pay by bank or wallet transfer: ${payUrl}`,
    'in_1',
  ]) {
    expect(text).toContain(part);
  }
  expect((await extractLinks(new Uint8Array(bytes))).links).toEqual([payUrl]);
  expect((await getMeta(new Uint8Array(bytes))).info).toMatchObject({
    Title: 'Invoice 12',
    Author: 'Harbour Teas',
    Language: 'en',
  });
});

test('the line of a plan without orders has the amount, before exclusive tax', async () => {
  const untaxed = await readDocument({ orders: [] });
  expect(untaxed.text).toContain('Tea of the month 1 HK$128.50 Total HK$128.50');
  const tax = { name: 'GST', rate: '9', isInclusive: false, minor: 1_061n };
  const taxed = await readDocument({ orders: [], tax });
  expect(taxed.text).toContain('Tea of the month 1 HK$117.89 Subtotal HK$117.89');
});

test('a paid or void invoice has no payment link, and one of the sandbox is marked as a test', async () => {
  const paid = await readDocument({ status: 'paid', paidAt: new Date('2026-11-18T22:00:00.000Z') });
  expect(paid.text).toContain('Status Paid Paid on 19 November 2026');
  const voided = await readDocument({ status: 'void', isFictional: true });
  expect(voided.text).toContain('No payment is due');
  expect(voided.text).toContain('TEST: not a valid invoice');
  for (const { text } of [paid, voided]) expect(text).not.toContain(payUrl);
});

test('an invoice shows the tax number, and a tax that is added to the net amount or included in the total', async () => {
  const merchant = { ...facts.merchant, taxNumber: 'GST M2-1234567-8' };
  const tax = { name: 'GST', rate: '9', minor: 1_061n, isInclusive: false };
  const exclusive = await readDocument({ merchant, tax });
  expect(exclusive.text).toContain('Hong Kong Tax number: GST M2-1234567-8');
  expect(exclusive.text).toContain('Subtotal HK$117.89 GST 9% HK$10.61 Total HK$128.50');
  const inclusive = await readDocument({ merchant, tax: { ...tax, isInclusive: true } });
  expect(inclusive.text).toContain('Total HK$128.50 Includes GST 9% HK$10.61 Subtotal HK$117.89');
});

test('the second line of a long tax name is above the subtotal', async () => {
  const tax = { name: 'Goods and Services Tax (GST)', rate: '12.5', minor: 1_428n, isInclusive: true };
  const { bytes } = await readDocument({ language: 'fil', tax });
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { items } = await (await document.getPage(1)).getTextContent();
  const lines = items.flatMap((item) =>
    'str' in item ? [{ text: item.str, y: item.transform[5] as number }] : [],
  );
  const [secondLine, subtotal] = ['12.5%', 'HK$114.22'].map((end) =>
    lines.find(({ text }) => text.endsWith(end)),
  );
  expect(secondLine!.y - subtotal!.y).toBeGreaterThan(12);
});

test('an invoice is in the language of the customer, with its amounts and dates', async () => {
  const zh = await readDocument({ language: 'zh' });
  expect(zh.text).toContain('账单');
  expect(zh.text).toContain('2026年11月20日');
  expect(zh.text).toContain('合计 HK$128.50');
  const th = await readDocument({ language: 'th' });
  expect(th.text).toContain('ใบแจ้งหนี้');
  expect(th.text).toContain('20 พฤศจิกายน 2569');
});

test('an invoice can contain names in all supported scripts', async () => {
  const names = [
    ...['陳大文 张伟', '김지우 박서준', 'สมชาย ใจดี', 'さくら タナカ', 'Nguyễn Văn Đức'],
    ...['अदा', 'Анна Каренина', 'Αθηνά'],
  ];
  const { text } = await readDocument({ customer: names });
  for (const name of names) expect(text).toContain(name);
});

test.each(languageCodes)('an invoice always has the same bytes, in %s', async (language) => {
  const [first, second] = [
    await invoiceDocument({ ...facts, language }),
    await invoiceDocument({ ...facts, language }),
  ];
  expect(first.equals(second)).toBe(true);
  expect(first.equals(await invoiceDocument({ ...facts, language, number: 13 }))).toBe(false);
});

test('a hundred orders continue on numbered pages, and long words and Thai text are wrapped', async () => {
  const thai = 'ชาเขียวที่ดีที่สุดในประเทศไทยและเอเชียตะวันออกเฉียงใต้'.repeat(3);
  const orders = Array.from({ length: 100 }, (_, i) => ({
    name: `Tea no. ${i + 1}`,
    quantity: i + 1,
    amount: '1.00',
  }));
  const { text, pages } = await readDocument({
    orders: [{ name: thai }, { name: 'x'.repeat(300) }, ...orders],
  });
  expect(pages).toBeGreaterThan(2);
  for (let i = 1; i <= 100; i++)
    expect(text).toContain(`Tea no. ${i} ${i === 1 ? '1' : `${i} × HK$1.00`} HK$${i}.00`);
  for (let i = 1; i <= pages; i++) expect(text).toContain(`${i} / ${pages}`);
  expect(text.replaceAll(' ', '')).toContain('x'.repeat(300));
});

test('an order with a long name is on one page with its amount', async () => {
  const shortOrders = Array.from({ length: 21 }, (_, i) => ({ name: `Tea ${i + 1}`, amount: '1.00' }));
  const longOrder = { name: 'and on '.repeat(70), quantity: 77, amount: '777.00' };
  const { text } = await readDocument({
    orders: [...shortOrders, longOrder, { name: 'After', quantity: 88, amount: '888.00' }],
  });
  expect(text).toMatch(/(and on ){70}77 × HK\$777\.00 HK\$59,829\.00 After 88 × HK\$888\.00 HK\$78,144\.00/);
  const { bytes } = await readDocument({ orders: [...shortOrders, longOrder] });
  const { text: pages } = await extractText(new Uint8Array(bytes), { mergePages: false });
  const pagesWithOrder = pages.map((page) => [page.includes('and on'), page.includes('777.00')]);
  expect(pagesWithOrder).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('an invoice has the merchant’s logo, color and contact', async () => {
  const logo = createPicture({ width: 240, height: 80 });
  const merchant = { ...facts.merchant, supportEmail: 'help@shop.example', brandColor: '#ffd400', logo };
  const { bytes, text } = await readDocument({ merchant });
  expect(text).toContain('From Harbour Teas 1 Queen’s Road Hong Kong help@shop.example');
  const images = await extractImages(new Uint8Array(bytes), 1);
  expect(images.map(({ width, height }) => [width, height])).toEqual([[240, 80]]);
});

test.each([
  ['latin', 'Harbour Teas and Fine China of '.repeat(5).slice(0, 140)],
  ['cjk', '海港茶行'.repeat(35)],
  ['thai', 'ร้านชาท่าเรือ'.repeat(11).slice(0, 140)],
])('no text exceeds the margins with long names: %s', async (_script, name) => {
  const orders = Array.from({ length: 60 }, () => ({ name: `${name} ${name}`, quantity: 1, amount: '1.00' }));
  const { bytes, pages, text } = await readDocument({
    merchant: { ...facts.merchant, name, address: name },
    customer: [name],
    orders,
  });
  expect(pages).toBeGreaterThan(1);
  expect(text).toContain(`1 / ${pages}`);
  const document = await getDocumentProxy(new Uint8Array(bytes));
  for (let page = 1; page <= pages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    const ends = items.map((item) => ('str' in item ? item.transform[4] + item.width : 0));
    expect(Math.max(...ends)).toBeLessThan(595.28 - 56 + 1);
  }
});

test('an invoice is created for any text', async () => {
  const unusualTexts = [
    '\u0000\u202E\uD800',
    '',
    ' ',
    '🍵👩‍👩‍👧',
    'a\u0301\u0E33',
    '\n\n',
    '𠮷野家',
    '١٢٣ שלום',
  ];
  const { pages } = await readDocument({
    customer: unusualTexts,
    plan: unusualTexts.join(''),
    orders: unusualTexts.map((name) => ({ name })),
  });
  expect(pages).toBe(1);
});

test('toRuns splits a text by font', () => {
  expect(toRuns('฿5')).toEqual([
    { font: 'thai', text: '฿' },
    { font: 'latin', text: '5' },
  ]);
  expect(toRuns('ชา茶 tea')).toEqual([
    { font: 'thai', text: 'ชา' },
    { font: 'cjk', text: '茶' },
    { font: 'latin', text: ' tea' },
  ]);
});
