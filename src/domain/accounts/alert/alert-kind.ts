import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/**
 * Why a merchant is alerted: about the health of an endpoint, about a receiving account that has used half of its
 * payment references, or about a bank feed that is failing or silent.
 */
export type AlertKind = EndpointAlertKind | 'references_low' | 'feed_failing' | 'feed_late';
