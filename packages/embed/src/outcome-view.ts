import { button, h } from './dom.ts';
import { type Charge, canChoose, getStatus } from './session.ts';
import { fill } from './texts.ts';
import { merchant, money, type View } from './view.ts';

export function outcomeView(view: View): HTMLElement[] {
  const { texts, session } = view;
  const { charge } = session;
  const [requested, currency] = charge
    ? [charge.customerAmount, charge.customerCurrency]
    : [session.amount, session.currency];
  const received = charge ? add(charge.amountReceived, charge.amountReleased) : '0';
  const paragraph = (text: string, amount = requested) =>
    h(
      'p',
      {},
      ...fill(text, {
        merchant: merchant(view),
        amount: money(view, amount, currency),
        received: money(view, received, currency),
        reference: h('code', {}, charge?.destination.paymentReference),
      }),
    );
  const isPartlyPaid = Number(received) > 0;
  switch (getStatus(session)) {
    case 'completed': {
      const { heading, text, reversed } = texts.paid;
      // Only the sandbox completes charges without a payment, so a live one was reversed.
      if (charge?.paymentState === 'none' && session.mode === 'live')
        return [title('info', reversed.title), paragraph(reversed.text)];
      return [title('success', heading), paragraph(text, charge ? getAppliedAmount(charge) : requested)];
    }
    case 'cancelled': {
      const { title: heading, text, partialText } = texts.cancelled;
      return isPartlyPaid
        ? [title('info', heading), paragraph(partialText), paragraph(texts.expired.partialText)]
        : [title('info', heading), paragraph(text)];
    }
    default: {
      const ended = charge ? texts.expired : texts.sessionExpired;
      const again = canChoose(session)
        ? button(texts.choose.title, { part: 'button' }, () => view.showMethods(true))
        : paragraph(ended.nextStep);
      const partial = isPartlyPaid ? [paragraph(texts.expired.partialText)] : [];
      return [title('info', ended.title), paragraph(ended.text), ...partial, again];
    }
  }
}

/** Returns the amount paid, which includes the fees that banks deducted, but at most the amount requested. */
function getAppliedAmount(charge: Charge): string {
  const { customerAmount, amountReceived, feeAmount, paymentState } = charge;
  return paymentState === 'partial' ? add(amountReceived, feeAmount) : customerAmount;
}

/** Adds two amounts of the same currency, which have the same number of decimals. */
function add(amount: string, other: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const sum = String(BigInt(amount.replace('.', '')) + BigInt(other.replace('.', ''))).padStart(
    digits + 1,
    '0',
  );
  return digits === 0 ? sum : `${sum.slice(0, -digits)}.${sum.slice(-digits)}`;
}

function title(tone: 'success' | 'info', text: string): HTMLElement {
  return h('h2', { tabindex: '-1', part: `outcome ${tone}`, class: tone }, text);
}
