import type { Subscription } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import { drawnPart } from '../../kit/id.ts';
import type { Owner } from '../../kit/owner.ts';
import { idOfPageToken, isPageToken } from '../checkout/page-tokens.ts';
import type { Service } from '../service.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';

/** What shows that who enrols is who enrolled before. An address does not: anybody may know it. */
export type SameCustomer = {
  /** Of the subscription's page, as the browser that enrolled keeps it. */
  pageToken?: string | undefined;
  /** Of the form, another each time it is shown: pressed twice, it comes twice. */
  formToken?: string | undefined;
};

type Enrolling = { linkId: string; customerId: string; same: SameCustomer | undefined };

/**
 * The random part of the id of a subscription that a form makes: by it the form finds its subscription when it comes
 * again. Undefined without a token that nobody guesses.
 */
export function drawnFromForm({ linkId, customerId, same }: Enrolling): string | undefined {
  const formToken = same?.formToken ?? '';
  return formToken.length < formTokenMin ? undefined : drawnPart(`${formToken} ${linkId} ${customerId}`);
}

/** Characters of `newToken`. */
const formTokenMin = 43;

/**
 * The customer's own by the same link, shown to be theirs: that of the form, however it stands, else the one that the
 * browser keeps, as long as it is not paid yet or, where nothing is paid to begin with, goes on. The customer's row is
 * locked.
 */
export async function findEnrolled(
  uow: UnitOfWork<Service>,
  enrolling: Owner & Enrolling & { isFree: boolean },
): Promise<Subscription | null> {
  const { merchantId, mode, linkId, customerId, isFree } = enrolling;
  const pageToken = enrolling.same?.pageToken ?? '';
  const drawn = drawnFromForm(enrolling);
  const found = await uow.tx.subscription.findMany({
    where: {
      ...{ merchantId, mode, linkId, customerId },
      OR: [{ id: idOfPageToken(pageToken) }, ...(drawn === undefined ? [] : [{ id: { endsWith: drawn } }])],
    },
  });
  const ofForm = drawn !== undefined && found.find(({ id }) => id.endsWith(drawn));
  if (ofForm) return ofForm;
  const { secrets } = uow;
  const kept = found.find((one) => isPageToken(secrets, 'subscription', one, pageToken));
  return kept && (isFree ? isOngoing(kept) : isUnstarted(kept)) ? kept : null;
}
