import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/** What a merchant is alerted about: an endpoint, or a receiving account that has used half of its payment references. */
export type AlertKind = EndpointAlertKind | 'references_low';
