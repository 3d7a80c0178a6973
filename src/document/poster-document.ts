import { toBrandColors } from '../kit/brand-colors.ts';
import type { Money } from '../kit/money.ts';
import { fillText } from '../language/fill-text.ts';
import { formatDateTime, formatMoney, getLocale } from '../language/format.ts';
import { type Language, languages } from '../language/languages.ts';
import type { MethodCode } from '../method/catalog.ts';
import { colors, contentArea, createSheet } from './sheet.ts';

export type PosterFacts = {
  /** The poster is printed in all of these. The first language formats the amount. */
  languages: readonly [Language, ...Language[]];
  merchant: { name: string; brandColor: string; logo: Buffer | undefined };
  /** Empty for none. */
  name: string;
  /** Undefined if the customer chooses the amount. */
  money: Money | undefined;
  url: string;
  methods: readonly MethodCode[];
  /** Undefined if the link does not expire. */
  expiry: { at: Date; timeZone: string } | undefined;
  isSandbox: boolean;
  isDemo: boolean;
  createdAt: Date;
};

const qrCodeWidthMax = 300;
/** Phones scan a code of this width from 40 centimeters. */
const qrCodeWidthMin = 120;

/**
 * Renders a poster with the QR code of a link as a PDF of one A4 page, or two if the texts are very long. The
 * same facts give identical bytes.
 */
export function posterDocument(facts: PosterFacts): Promise<Buffer> {
  const { merchant, money } = facts;
  const [language] = facts.languages;
  const strings = languages[language];
  const sheet = createSheet({
    title: fillText(strings.summary.pay, { merchant: merchant.name }),
    author: merchant.name,
    language,
    createdAt: facts.createdAt,
    ...(merchant.brandColor !== '' && { accent: toBrandColors(merchant.brandColor).light.accent }),
    footer: facts.url,
  });
  const write = ({ text, ...options }: PosterText) => sheet.text(text, { ...options, align: 'center' });
  const { sandbox, sandboxText, demo, demoText } = strings.page;
  if (facts.isSandbox) write({ text: `${sandbox}: ${sandboxText}`, size: 12, color: colors.note });
  else if (facts.isDemo) write({ text: `${demo}: ${demoText}`, size: 12, color: colors.note });
  if (merchant.logo) sheet.image(merchant.logo, { height: 60, maxWidth: 300, isCentered: true });
  write({ text: merchant.name, size: 26 });
  if (facts.name !== '') write({ text: facts.name, size: 16, color: colors.muted });
  sheet.y += 12;
  if (money) write({ text: formatMoney(getLocale(language), money), size: 34, color: 'accent' });
  const texts = facts.languages.flatMap((each) => listTexts(facts, each));
  const textHeight = texts.reduce((sum, { text, size }) => sum + sheet.measureHeight(text, { size }), 0);
  const remainingHeight = contentArea.bottom - sheet.y - textHeight;
  const qrCodeWidth = Math.max(qrCodeWidthMin, Math.min(qrCodeWidthMax, remainingHeight));
  sheet.ensureSpace(qrCodeWidth);
  sheet.qrCode(facts.url, qrCodeWidth);
  for (const text of texts) write(text);
  return sheet.end();
}

type PosterText = { text: string; size: number; color?: string };

/** Lists the texts below the QR code in one language. */
function listTexts({ methods, expiry }: PosterFacts, language: Language): PosterText[] {
  const { pay, poster, methods: methodNames } = languages[language];
  const texts: PosterText[] = [
    { text: pay.scan, size: 22, color: 'accent' },
    { text: poster.scanWithCamera, size: 13 },
  ];
  if (expiry) {
    const date = formatDateTime(getLocale(language), expiry.at, expiry.timeZone);
    texts.push({ text: fillText(poster.until, { date }), size: 13 });
  }
  const names = methods.map((method) => methodNames[method]).join(' · ');
  return [...texts, { text: names, size: 11, color: colors.muted }];
}
