import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/**
 * Why a merchant is alerted: about the health of an endpoint, or because half of the payment references of a
 * receiving account are used, or because a bank feed fails or is silent.
 */
export type AlertKind = EndpointAlertKind | 'references_low' | 'feed_failing' | 'feed_late';
