import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/**
 * The reason for an alert: the health of an endpoint, a receiving account that has used half of its payment references,
 * or a bank feed that is failing or silent.
 */
export type AlertKind = EndpointAlertKind | 'references_low' | 'feed_failing' | 'feed_late';
