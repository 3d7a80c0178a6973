/** Stands in the built page where each answer puts its own nonce. */
export const noncePlace = '__NONCE__';

/** Stands there for the origin of PUBLIC_URL, where alone a session counts. */
export const originPlace = '__ORIGIN__';
