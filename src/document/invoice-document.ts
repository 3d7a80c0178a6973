import { decimalToMinor, type Money } from '../kit/money.ts';
import { amountText } from '../message/amount-text.ts';
import type { MessageLanguage } from '../message/language.ts';
import { type InvoiceWords, invoiceWords } from './invoice-words.ts';
import { colors, inner, openSheet, type Sheet } from './sheet.ts';

export type InvoiceFacts = {
  language: MessageLanguage;
  id: string;
  number: number;
  status: 'open' | 'paid' | 'void';
  /** Of the sandbox, or of a demo merchant. */
  isTrial: boolean;
  merchant: { name: string; address: string };
  /** What is known of the customer, line by line. */
  customer: string[];
  plan: string;
  /** Amounts as decimals in major units. */
  orders: { id?: string; name?: string; quantity?: number; amount?: string }[];
  money: Money;
  madeAt: Date;
  dueOn: Date;
  paidAt: Date | null;
  /** Where it can be paid. */
  payUrl: string;
};

/** The invoice as a PDF, in the customer's language. The same facts give the same bytes. */
export function invoiceDocument(facts: InvoiceFacts): Promise<Buffer> {
  const { language, number, merchant } = facts;
  const words = invoiceWords[language];
  const sheet = openSheet({
    title: `${words.title} ${number}`,
    author: merchant.name,
    language,
    createdAt: facts.madeAt,
    foot: `${words.title} ${number} · ${facts.id} · ${merchant.name}`,
  });
  if (facts.isTrial) {
    sheet.text(words.sandbox, { size: 10, color: colors.note });
    sheet.y += 10;
  }
  writeHead(sheet, facts, words);
  writeTable(sheet, facts, words);
  writeEnd(sheet, facts, words);
  return sheet.end();
}

const half = inner.width / 2 - 12;

/** On the left from whom to whom, on the right which, when and how it stands. */
function writeHead(sheet: Sheet, facts: InvoiceFacts, words: InvoiceWords): void {
  sheet.text(words.title, { size: 24, color: colors.accent });
  sheet.y += 14;
  const top = sheet.y;
  const { merchant, customer } = facts;
  const left = writeBlock(sheet, words.from, [merchant.name, ...merchant.address.split('\n')]);
  sheet.y = left + 12;
  const leftEnd = customer.length > 0 ? writeBlock(sheet, words.to, customer) : left;
  sheet.y = top;
  for (const [name, value] of headFacts(facts, words)) {
    const line = sheet.y;
    sheet.text(name, { color: colors.muted, left: inner.left + half + 24, width: 90 });
    const end = sheet.y;
    sheet.y = line;
    sheet.text(value, { left: inner.left + half + 114, width: half - 90, align: 'right' });
    sheet.y = Math.max(sheet.y, end) + 3;
  }
  sheet.y = Math.max(leftEnd, sheet.y) + 28;
}

function headFacts(facts: InvoiceFacts, words: InvoiceWords): [string, string][] {
  const { language, number, status, madeAt, dueOn, paidAt } = facts;
  const day = (time: Date) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  return [
    [words.number, String(number)],
    [words.date, day(madeAt)],
    [words.due, day(dueOn)],
    [words.statusName, words.status[status]],
    ...(paidAt ? [[words.paidOn, day(paidAt)] satisfies [string, string]] : []),
  ];
}

function writeBlock(sheet: Sheet, title: string, lines: string[]): number {
  sheet.text(title, { size: 9, color: colors.muted, width: half });
  for (const line of lines.filter((one) => one.trim() !== '')) sheet.text(line, { width: half });
  return sheet.y;
}

const columns = {
  name: { left: inner.left, width: inner.width - 200 },
  quantity: { left: inner.right - 190, width: 60, align: 'right' },
  amount: { left: inner.right - 125, width: 125, align: 'right' },
} as const;

function writeTable(
  sheet: Sheet,
  { orders, plan, language, money }: InvoiceFacts,
  words: InvoiceWords,
): void {
  const small = { size: 9, color: colors.muted };
  writeRow(sheet, [words.description, words.quantity, words.amount], small);
  sheet.rule();
  sheet.y += 8;
  const rows = orders.map(({ id, name, quantity, amount }): [string, string, string] => [
    name ?? id ?? plan,
    quantity === undefined ? '' : new Intl.NumberFormat(language).format(quantity),
    amount === undefined ? '' : lineAmount(language, amount, money.currency),
  ]);
  sheet.text(plan, { ...columns.name, size: 11 });
  sheet.y += 4;
  for (const row of rows) writeRow(sheet, row, {});
  sheet.y += 4;
  sheet.rule();
  sheet.y += 8;
  sheet.keep(30);
  const line = sheet.y;
  sheet.text(words.total, { ...columns.name, size: 13 });
  sheet.y = line;
  sheet.text(amountText(language, money), {
    size: 13,
    left: inner.right - 250,
    width: 250,
    align: 'right',
  });
  sheet.y += 20;
}

/** One line of the table, as high as its highest cell, and on one page. */
function writeRow(
  sheet: Sheet,
  cells: [string, string, string],
  look: { size?: number; color?: string },
): void {
  const placed = (['name', 'quantity', 'amount'] as const).map((name, i) => ({
    text: cells[i]!,
    options: { ...columns[name], ...look },
  }));
  const height = Math.max(...placed.map(({ text, options }) => sheet.heightOf(text, options)));
  sheet.keep(Math.max(40, height));
  const line = sheet.y;
  for (const { text, options } of placed) {
    sheet.y = line;
    sheet.text(text, options);
  }
  sheet.y = line + height + 4;
}

function lineAmount(language: MessageLanguage, decimal: string, currency: string): string {
  const minor = decimalToMinor(decimal, currency);
  return minor === undefined ? '' : amountText(language, { minor, currency });
}

function writeEnd(sheet: Sheet, { status, payUrl }: InvoiceFacts, words: InvoiceWords): void {
  if (status === 'void') sheet.text(words.voided);
  if (status !== 'open') return;
  sheet.keep(50);
  sheet.text(words.pay);
  sheet.text(payUrl, { size: 9, color: colors.accent, link: payUrl });
}
