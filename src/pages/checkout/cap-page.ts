import { findOpenCharge } from '../../domain/payments/checkout/find-open-charge.ts';
import { clientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { amountText, fillText } from '../format.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { notice } from '../parts/notice.ts';
import { backButton } from '../parts/summary.ts';
import { readerOf } from '../send-page.ts';
import type { Act } from './act.ts';
import { chargeAddress } from './address.ts';
import { madeCharges } from './browser.ts';
import { redirectUrlOf } from './page-of.ts';

/** The visitor's network may start no more charges: the page offers one that this browser started and can still pay. */
export async function capPage({ context, request, query, subject }: Act, now: Date): Promise<Page> {
  const { service } = context;
  const { merchant, mode } = subject;
  const reader = readerOf(request);
  const { title, text, help, resume, resumeSubmit } = reader.strings.refused.tooManyOpen;
  const ids = madeCharges(service, request, mode);
  const open = await findOpenCharge(service, { ids, merchantId: merchant.id, mode, now });
  const resumeWay =
    open &&
    html`<p>${resume}</p>
<a class="button" href="${chargeAddress(clientToken(service.secrets, open), query)}">${fillText(
      resumeSubmit,
      {
        amount: amountText(reader, { minor: open.customerAmount, currency: open.customerCurrency }),
      },
    )}</a>`;
  const body = html`<p>${text}</p>${resumeWay}<p>${help}</p>
${!open && backButton(reader, { merchant, redirectUrl: redirectUrlOf(subject) })}`;
  return {
    status: 429,
    title,
    main: notice({ tone: 'calm', title, body }),
    mode,
    demo: merchant.demo,
  };
}
