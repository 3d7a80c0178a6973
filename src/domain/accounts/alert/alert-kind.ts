import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/**
 * Why a merchant is alerted: about the health of an endpoint, or because half of the payment references of a
 * receiving account are used.
 */
export type AlertKind = EndpointAlertKind | 'references_low';
