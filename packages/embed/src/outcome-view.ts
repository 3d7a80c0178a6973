import { button, h } from './dom.ts';
import { canChoose, getStatus } from './session.ts';
import { fill, formatTime } from './texts.ts';
import { merchant, money, type View } from './view.ts';

export function outcomeView(view: View): HTMLElement[] {
  const { texts, session } = view;
  const { charge } = session;
  const names = { merchant: merchant(view) };
  const [amount, currency] = charge
    ? [charge.customerAmount, charge.customerCurrency]
    : [session.amount, session.currency];
  const values = {
    ...names,
    amount: money(view, amount, currency),
    time: formatTime(texts.language, session.expiresAt),
  };
  switch (getStatus(session)) {
    case 'completed':
      return toNotice('success', texts.paid.heading, fill(texts.paid.text, values));
    case 'cancelled':
      return toNotice('info', texts.cancelled.title, fill(texts.cancelled.text, values));
    default: {
      const ended = charge ? texts.expired : texts.sessionExpired;
      const again = canChoose(session)
        ? button(texts.choose.title, { part: 'button' }, () => view.showMethods(true))
        : h('p', {}, ...fill(ended.nextStep, { merchant: merchant(view) }));
      return [...toNotice('info', ended.title, fill(ended.text, values)), again];
    }
  }
}

function toNotice(tone: 'success' | 'info', title: string, text: (string | Node)[]): HTMLElement[] {
  return [h('h2', { tabindex: '-1', part: `outcome ${tone}`, class: tone }, title), h('p', {}, ...text)];
}
