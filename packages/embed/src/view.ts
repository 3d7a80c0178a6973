import { h } from './dom.ts';
import type { Offer, Session } from './session.ts';
import { formatMoney, type Texts } from './texts.ts';

/** The data and actions that each view receives. */
export type View = {
  texts: Texts;
  session: Session;
  offers: Offer[];
  /** The email address that the shop has set; empty if there is none. */
  email: string;
  /** The origin of the service, from which images are loaded. */
  origin: string;
  pay: (choice: { method: string; email?: string }) => Promise<void>;
  cancel: () => void;
  /** Shows the methods instead of the payment details, or the other way round. */
  showMethods: (isShown: boolean) => void;
};

export function money({ texts }: View, amount: string, currency: string): HTMLElement {
  return h('bdi', {}, formatMoney(texts.language, amount, currency));
}

export function merchant({ session }: View): HTMLElement {
  return h('bdi', {}, session.merchantName);
}

/** Returns the name of a method, whose code has underscores in GraphQL and hyphens in the texts. */
export function methodName({ texts }: View, method: string): string {
  return texts.methods[toTextKey(method)] ?? method;
}

export function toTextKey(method: string): string {
  return method.replaceAll('_', '-');
}

export function methodIcon({ origin }: View, method: string): HTMLElement {
  const src = `${origin}/icons/methods/${toTextKey(method)}.svg`;
  return h('img', { src, alt: '', width: '40', height: '40', part: 'method-icon' });
}
