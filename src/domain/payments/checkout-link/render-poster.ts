import { type PosterFacts, posterDocument } from '../../../document/poster-document.ts';
import { getDisplayName } from '../../../kit/brand.ts';
import type { Language } from '../../../language/languages.ts';
import { getLogo } from '../../accounts/merchant/logo.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../accounts/receiving-account/find-available-methods.ts';
import type { Service } from '../../platform/service.ts';
import type { PosterLink } from './open-poster.ts';
import { shareLink } from './share-link.ts';

/** Renders the poster of a link as a PDF. */
export async function renderPoster(
  service: Service,
  { link, merchant, language }: PosterLink & { language: Language },
): Promise<Buffer> {
  const available = await findAvailableMethods(service, link);
  const facts: PosterFacts = {
    language,
    merchant: {
      name: getDisplayName(merchant),
      brandColor: merchant.brandColor,
      logo: merchant.logo === '' ? undefined : await getLogo(service, merchant.logo),
    },
    name: link.name,
    money: link.amount === null ? undefined : { minor: link.amount, currency: link.currency },
    url: shareLink(service, { link, merchant, language }).url,
    methods: filterAvailableMethods(available, (link.paymentMethods as string[] | null) ?? []),
    isSandbox: link.mode === 'sandbox',
    isDemo: merchant.demo,
    createdAt: link.createdAt,
  };
  return posterDocument(facts);
}
