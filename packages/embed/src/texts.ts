/** The texts of the customer pages that the element uses, in one language. */
export type Texts = {
  language: string;
  page: { sandboxText: string; demoText: string };
  choose: {
    title: string;
    methodMissing: string;
    email: string;
    emailHint: string;
    emailInvalid: string;
    submit: string;
    nextHint: string;
    methodUnavailable: string;
  };
  pay: Record<
    | 'title'
    | 'received'
    | 'receivedNoField'
    | 'exactAmount'
    | 'qrLabel'
    | 'qrDemo'
    | 'qrSave'
    | 'reference'
    | 'copy'
    | 'copyLabel'
    | 'copied'
    | 'copyFailed'
    | 'instructions'
    | 'details'
    | 'waiting'
    | 'waitingText'
    | 'waitingByMerchant'
    | 'worksWith'
    | 'openApp'
    | 'otherApp'
    | 'payBefore'
    | 'reconnecting',
    string
  > & { referenceHeading: Record<string, string>; referenceText: Record<string, string> };
  rows: Record<string, string>;
  steps: Record<string, string>;
  cancel: { summary: string; text: string; submit: string };
  paid: { heading: string; text: string; reversed: { title: string; text: string } };
  expired: { title: string; text: string; partialText: string; nextStep: string };
  sessionExpired: { title: string; text: string; nextStep: string };
  cancelled: { title: string; text: string; partialText: string };
  change: { link: string };
  noPaymentMethod: { title: string; text: string };
  methods: Record<string, string>;
  apps: Record<string, { apps: string; menu: string; referenceField?: string; cameraApp?: string }>;
};

/** Loads the texts of `lang` or, without it, of the language that the browser prefers. */
export async function loadTexts(origin: string, lang: string | null): Promise<Texts> {
  const query = lang === null ? '' : `?${new URLSearchParams({ lang })}`;
  const response = await fetch(`${origin}/embed/texts${query}`);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as Texts;
}

/** Replaces the placeholders in braces with texts or elements. */
export function fill(text: string, values: Record<string, string | Node>): (string | Node)[] {
  return text.split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : (values[part] ?? '')));
}

export function fillText(text: string, values: Record<string, string>): string {
  return fill(text, values).join('');
}

export function formatMoney(language: string, amount: string, currency: string): string {
  // Apps in Indonesia accept whole rupiah only.
  const text = currency === 'IDR' ? amount.replace(/\.0+$/, '') : amount;
  const digits = text.split('.')[1]?.length ?? 0;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(text as Intl.StringNumericLiteral);
}

export function formatTime(language: string, time: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
}
