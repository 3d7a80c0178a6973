import { toBrandColors } from '../kit/brand-colors.ts';
import { decimalToMinor, type Money } from '../kit/money.ts';
import { fillText } from '../language/fill-text.ts';
import { formatDate, formatMoney, getLocale } from '../language/format.ts';
import { formatTaxRate } from '../language/format-tax-rate.ts';
import { type Language, languages, type Strings } from '../language/languages.ts';
import { colors, contentArea, createSheet, type Sheet } from './sheet.ts';

type InvoiceLabels = Strings['invoicePdf'];

export type InvoiceFacts = {
  language: Language;
  id: string;
  number: number;
  status: 'open' | 'paid' | 'void';
  /** Whether the invoice is in the sandbox or of a demo merchant, and so not real. */
  isFictional: boolean;
  merchant: {
    name: string;
    address: string;
    /** The tax registration; empty for none. */
    taxNumber: string;
    supportEmail: string;
    /** The brand color as `#rrggbb`; empty for the default. */
    brandColor: string;
    /** The PNG file of the logo. */
    logo: Buffer | undefined;
  };
  /** The known details of the customer, one per line. */
  customer: string[];
  plan: string;
  /** Amounts are decimals in major units. */
  orders: { id?: string; name?: string; quantity?: number; amount?: string }[];
  total: Money;
  /** The tax in the total; undefined for none. */
  tax: { name: string; rate: { toString(): string }; minor: bigint; isInclusive: boolean } | undefined;
  period: { start: Date; end: Date };
  /** The merchant's time zone, of all dates on the invoice. */
  timeZone: string;
  createdAt: Date;
  dueAt: Date;
  paidAt: Date | null;
  payUrl: string;
};

/** Renders the invoice as a PDF in the customer's language. The same facts give identical bytes. */
export function invoiceDocument(facts: InvoiceFacts): Promise<Buffer> {
  const { language, number, merchant } = facts;
  const labels = languages[language].invoicePdf;
  const sheet = createSheet({
    title: `${labels.title} ${number}`,
    author: merchant.name,
    language,
    createdAt: facts.createdAt,
    ...(merchant.brandColor !== '' && { accent: toBrandColors(merchant.brandColor).light.accent }),
    footer: `${labels.title} ${number} · ${facts.id} · ${merchant.name}`,
  });
  if (facts.isFictional) {
    sheet.text(labels.sandbox, { size: 10, color: colors.note });
    sheet.y += 10;
  }
  if (merchant.logo) sheet.image(merchant.logo, { height: 36, maxWidth: 180 });
  writeHeader(sheet, facts, labels);
  writeTable(sheet, facts, labels);
  writeClosing(sheet, facts, labels);
  return sheet.end();
}

const columnWidth = contentArea.width / 2 - 12;

/** Writes the merchant and the customer on the left, and the number, dates and status on the right. */
function writeHeader(sheet: Sheet, facts: InvoiceFacts, labels: InvoiceLabels): void {
  sheet.text(labels.title, { size: 24, color: 'accent' });
  sheet.y += 14;
  const top = sheet.y;
  const { merchant, customer } = facts;
  const senderEnd = writeBlock(sheet, labels.from, [
    merchant.name,
    ...merchant.address.split('\n'),
    merchant.taxNumber === '' ? '' : `${labels.taxNumber}: ${merchant.taxNumber}`,
    merchant.supportEmail,
  ]);
  sheet.y = senderEnd + 12;
  const leftEnd = customer.length > 0 ? writeBlock(sheet, labels.to, customer) : senderEnd;
  sheet.y = top;
  for (const [name, value] of getHeaderRows(facts, labels)) {
    const rowTop = sheet.y;
    sheet.text(name, { color: colors.muted, left: contentArea.left + columnWidth + 24, width: 90 });
    const end = sheet.y;
    sheet.y = rowTop;
    sheet.text(value, {
      left: contentArea.left + columnWidth + 114,
      width: columnWidth - 90,
      align: 'right',
    });
    sheet.y = Math.max(sheet.y, end) + 3;
  }
  sheet.y = Math.max(leftEnd, sheet.y) + 28;
}

function getHeaderRows(facts: InvoiceFacts, labels: InvoiceLabels): [string, string][] {
  const { language, number, status, createdAt, dueAt, paidAt, period, timeZone } = facts;
  const day = (time: Date) => formatDate(getLocale(language), time, timeZone);
  return [
    [labels.number, String(number)],
    [labels.date, day(createdAt)],
    [labels.due, day(dueAt)],
    [labels.period, `${day(period.start)} –\n${day(period.end)}`],
    [labels.statusName, labels.status[status]],
    ...(paidAt ? [[labels.paidOn, day(paidAt)] satisfies [string, string]] : []),
  ];
}

/** Writes lines below a title, and returns the end of the block. */
function writeBlock(sheet: Sheet, title: string, lines: string[]): number {
  sheet.text(title, { size: 9, color: colors.muted, width: columnWidth });
  for (const line of lines.filter((text) => text.trim() !== '')) sheet.text(line, { width: columnWidth });
  return sheet.y;
}

const columns = {
  name: { left: contentArea.left, width: contentArea.width - 260 },
  quantity: { left: contentArea.right - 250, width: 120, align: 'right' },
  amount: { left: contentArea.right - 125, width: 125, align: 'right' },
} as const;

function writeTable(sheet: Sheet, facts: InvoiceFacts, labels: InvoiceLabels): void {
  const { orders, plan, language, total, tax } = facts;
  const small = { size: 9, color: colors.muted };
  writeRow(sheet, [labels.description, labels.quantity, labels.amount], small);
  sheet.rule();
  sheet.y += 8;
  const rows = orders.map((order) => formatOrderLine(order, facts));
  if (rows.length === 0) {
    const minor = tax?.isInclusive ? total.minor : getSubtotal(facts);
    const amount = formatMoney(getLocale(language), { minor, currency: total.currency });
    writeRow(sheet, [plan, '1', amount], { size: 11 });
  } else {
    sheet.text(plan, { ...columns.name, size: 11 });
    sheet.y += 4;
  }
  for (const row of rows) writeRow(sheet, row, {});
  sheet.y += 4;
  sheet.rule();
  sheet.y += 8;
  sheet.ensureSpace(90);
  for (const [name, minor, size] of getSumRows(facts, labels)) {
    const rowTop = sheet.y;
    sheet.text(name, { ...columns.name, size });
    const end = sheet.y;
    sheet.y = rowTop;
    const amount = formatMoney(getLocale(language), { minor, currency: total.currency });
    sheet.text(amount, { size, left: contentArea.right - 250, width: 250, align: 'right' });
    sheet.y = Math.max(sheet.y, end) + 4;
  }
  sheet.y += 16;
}

/** Returns the total in minor units without the tax. */
function getSubtotal({ total, tax }: Pick<InvoiceFacts, 'total' | 'tax'>): bigint {
  return total.minor - (tax?.minor ?? 0n);
}

/** Returns the sums with their font sizes: exclusive tax leads to the total, inclusive tax is a part of it. */
function getSumRows(
  { total, tax, language }: InvoiceFacts,
  labels: InvoiceLabels,
): [string, bigint, number][] {
  const totalRow: [string, bigint, number] = [labels.total, total.minor, 13];
  if (!tax) return [totalRow];
  const name = `${tax.name} ${formatTaxRate(getLocale(language), tax.rate)}`;
  const subtotalRow: [string, bigint, number] = [labels.subtotal, getSubtotal({ total, tax }), 10];
  return tax.isInclusive
    ? [totalRow, [fillText(labels.includedTax, { tax: name }), tax.minor, 10], subtotalRow]
    : [subtotalRow, [name, tax.minor, 10], totalRow];
}

/** Writes one table row, as high as its highest cell, without a page break inside. */
function writeRow(
  sheet: Sheet,
  cells: [string, string, string],
  style: { size?: number; color?: string },
): void {
  const cellLayouts = (['name', 'quantity', 'amount'] as const).map((name, i) => ({
    text: cells[i]!,
    options: { ...columns[name], ...style },
  }));
  const height = Math.max(...cellLayouts.map(({ text, options }) => sheet.measureHeight(text, options)));
  sheet.ensureSpace(Math.max(40, height));
  const rowTop = sheet.y;
  for (const { text, options } of cellLayouts) {
    sheet.y = rowTop;
    sheet.text(text, options);
  }
  sheet.y = rowTop + height + 4;
}

/** Returns the name, the quantity with the unit price, and the amount of the line, so that the amounts add up. */
function formatOrderLine(
  { id, name, quantity, amount }: InvoiceFacts['orders'][number],
  { plan, language, total: { currency } }: InvoiceFacts,
): [string, string, string] {
  const locale = getLocale(language);
  const minor = amount === undefined ? undefined : decimalToMinor(amount, currency);
  const count = new Intl.NumberFormat(locale).format(quantity ?? 1);
  const title = name ?? id ?? plan;
  if (minor === undefined) return [title, count, ''];
  const hasUnitPrice = quantity !== undefined && quantity > 1;
  return [
    title,
    hasUnitPrice ? `${count} × ${formatMoney(locale, { minor, currency })}` : count,
    formatMoney(locale, { minor: minor * BigInt(quantity ?? 1), currency }),
  ];
}

function writeClosing(sheet: Sheet, { status, payUrl }: InvoiceFacts, labels: InvoiceLabels): void {
  if (status === 'void') sheet.text(labels.voided);
  if (status !== 'open') return;
  sheet.ensureSpace(50);
  sheet.text(labels.pay);
  sheet.text(payUrl, { size: 9, color: 'accent', link: payUrl });
}
