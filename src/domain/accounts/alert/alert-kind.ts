import type { EndpointAlertKind } from '../../../notification/endpoint-health.ts';

/** An endpoint problem, or a receiving account that has used half of its payment references. */
export type AlertKind = EndpointAlertKind | 'references_low';
