import { toBrandColors } from '../kit/brand-colors.ts';
import type { Money } from '../kit/money.ts';
import { fillText } from '../language/fill-text.ts';
import { formatMoney, getLocale } from '../language/format.ts';
import { type Language, languages } from '../language/languages.ts';
import type { MethodCode } from '../method/catalog.ts';
import { colors, createSheet } from './sheet.ts';

export type PosterFacts = {
  language: Language;
  merchant: { name: string; brandColor: string; logo: Buffer | undefined };
  /** Empty for none. */
  name: string;
  /** Undefined if the customer chooses the amount. */
  money: Money | undefined;
  url: string;
  methods: readonly MethodCode[];
  isSandbox: boolean;
  isDemo: boolean;
  createdAt: Date;
};

/** Renders a poster with the QR code of a link as a PDF of one A4 page. The same facts give identical bytes. */
export function posterDocument(facts: PosterFacts): Promise<Buffer> {
  const { language, merchant, money, methods } = facts;
  const strings = languages[language];
  const sheet = createSheet({
    title: fillText(strings.summary.pay, { merchant: merchant.name }),
    author: merchant.name,
    language,
    createdAt: facts.createdAt,
    ...(merchant.brandColor !== '' && { accent: toBrandColors(merchant.brandColor).light.accent }),
    footer: facts.url,
  });
  const write = (text: string, options: { size: number; color?: string }) =>
    sheet.text(text, { ...options, align: 'center' });
  const { sandbox, sandboxText, demo, demoText, description } = strings.page;
  if (facts.isSandbox) write(`${sandbox}: ${sandboxText}`, { size: 12, color: colors.note });
  else if (facts.isDemo) write(`${demo}: ${demoText}`, { size: 12, color: colors.note });
  if (merchant.logo) sheet.image(merchant.logo, { height: 60, maxWidth: 300, isCentered: true });
  write(merchant.name, { size: 26 });
  if (facts.name !== '') write(facts.name, { size: 16, color: colors.muted });
  sheet.y += 12;
  if (money) write(formatMoney(getLocale(language), money), { size: 34, color: 'accent' });
  sheet.qrCode(facts.url, 300);
  write(strings.pay.scan, { size: 24, color: 'accent' });
  write(description, { size: 14 });
  sheet.y += 8;
  write(methods.map((method) => strings.methods[method]).join(' · '), { size: 11, color: colors.muted });
  return sheet.end();
}
